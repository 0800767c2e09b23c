#include "model/json_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/units.h"
#include "model/json_text.h"

namespace ringwise::model {
namespace {

/// Of values that nobody reads; what is read is as deep as the types.
constexpr int kDeepest = 64;
/// Whole numbers up to 2^53 lose nothing as a double.
constexpr double kExact = 9007199254740992.0;
constexpr std::size_t kLongestQuote = 40;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

std::string to_text(const ReadError& error) {
  return fmt::format("line {}, column {}: {}{}{}", error.line, error.column,
                     base::printable(error.path), error.path.empty() ? "" : ": ", error.text);
}

bool JsonReader::fail_at(std::size_t position, std::string text) {
  if (error_) return false;
  const std::string_view before = text_.substr(0, std::min(position, text_.size()));
  const auto line_end = before.rfind('\n');
  ReadError error;
  error.line = 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  error.column = before.size() - (line_end == std::string_view::npos ? 0 : line_end + 1) + 1;
  error.text = std::move(text);
  for (const Segment& segment : path_) {
    if (segment.is_element) {
      error.path += fmt::format("[{}]", segment.index);
    } else {
      error.path += error.path.empty() ? "" : ".";
      error.path += segment.key.substr(0, kLongestQuote);
    }
  }
  error_ = std::move(error);
  return false;
}

std::string JsonReader::found() const {
  if (position_ >= text_.size()) return "the end of the text";
  const char c = text_[position_];
  if (c == '"') return "a string";
  if (c == '{') return "an object";
  if (c == '[') return "a list";
  if (c == '-' || is_digit(c)) return "a number";
  const std::string_view rest = text_.substr(position_);
  if (rest.starts_with("true") || rest.starts_with("false")) return "true or false";
  if (rest.starts_with("null")) return "null";
  return fmt::format("'{}'",
                     base::printable(rest.substr(0, std::max<std::size_t>(1, utf8_length(rest)))));
}

bool JsonReader::expected(std::string_view what) {
  skip_blanks();
  return fail_at(position_, fmt::format("expected {}, found {}", what, found()));
}

bool JsonReader::fail_choice(std::string_view choices, std::string_view found) {
  return fail(fmt::format("expected one of {}, found \"{}\"", choices,
                          base::printable(found.substr(0, kLongestQuote))));
}

void JsonReader::skip_blanks() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c != ' ' && c != '\n' && c != '\r' && c != '\t') return;
    ++position_;
  }
}

bool JsonReader::take_word(std::string_view word) {
  if (!text_.substr(position_).starts_with(word)) return false;
  position_ += word.size();
  return true;
}

bool JsonReader::take_null() {
  skip_blanks();
  value_start_ = position_;
  return peek() == 'n' && take_word("null");
}

bool JsonReader::open(char bracket, std::string_view what) {
  skip_blanks();
  value_start_ = position_;
  if (peek() != bracket) return expected(what);
  ++position_;
  return true;
}

bool JsonReader::next_in(char closing, bool is_first) {
  if (error_) return false;
  skip_blanks();
  if (peek() == closing) {
    ++position_;
    return false;
  }
  if (is_first) return true;
  if (peek() != ',') {
    return expected(closing == '}' ? "',' or '}'" : "',' or ']'");
  }
  ++position_;
  return true;
}

bool JsonReader::next_key(bool is_first, std::string_view& key) {
  if (!next_in('}', is_first)) return false;
  skip_blanks();
  if (peek() != '"') return expected("a key in quotes");
  bool is_plain = false;
  if (!scan_string(key, key_, is_plain)) return false;
  if (!is_plain) key = key_;
  skip_blanks();
  if (peek() != ':') return expected("':'");
  ++position_;
  return true;
}

bool JsonReader::at_end() {
  skip_blanks();
  return position_ >= text_.size() || expected("the end of the text");
}

bool JsonReader::read(bool& value) {
  skip_blanks();
  value_start_ = position_;
  if (take_word("true")) {
    value = true;
    return true;
  }
  if (take_word("false")) {
    value = false;
    return true;
  }
  return expected("true or false");
}

bool JsonReader::scan_number(NumberToken& token, std::string_view what) {
  skip_blanks();
  value_start_ = position_;
  if (peek() != '-' && !is_digit(peek())) return expected(what);
  std::size_t at = position_;
  const auto here = [&] { return at < text_.size() ? text_[at] : '\0'; };
  const auto digits = [&] {
    const std::size_t from = at;
    while (is_digit(here())) ++at;
    return at > from;
  };
  if (here() == '-') ++at;
  const bool has_zero = here() == '0';
  const std::size_t whole_from = at;
  bool is_good = digits() && (!has_zero || at == whole_from + 1);
  token.is_whole = true;
  if (is_good && here() == '.') {
    ++at;
    token.is_whole = false;
    is_good = digits();
  }
  if (is_good && (here() == 'e' || here() == 'E')) {
    ++at;
    token.is_whole = false;
    if (here() == '+' || here() == '-') ++at;
    is_good = digits();
  }
  if (!is_good) return fail_at(position_, "expected a number, found a badly written one");
  token.text = text_.substr(position_, at - position_);
  position_ = at;
  return true;
}

bool JsonReader::read(double& value) {
  NumberToken token;
  if (!scan_number(token, "a number")) return false;
  const char* const end = token.text.data() + token.text.size();
  const auto [stop, code] = std::from_chars(token.text.data(), end, value);
  if (code == std::errc{} && stop == end) return true;
  return fail(fmt::format("the number {} is out of range", token.text.substr(0, kLongestQuote)));
}

namespace {

/// The whole number that the token says, also when it is written with fraction or exponent.
template <typename T>
bool whole_number(std::string_view text, bool is_whole, T& value) {
  const char* const end = text.data() + text.size();
  if (is_whole) {
    const auto [stop, code] = std::from_chars(text.data(), end, value);
    if (code == std::errc{} && stop == end) return true;
  }
  double real = 0;
  const auto [stop, code] = std::from_chars(text.data(), end, real);
  if (code != std::errc{} || stop != end) return false;
  if (real != std::floor(real) || real > kExact || real < -kExact) return false;
  if (std::is_unsigned_v<T> && real < 0) return false;
  value = static_cast<T>(real);
  return true;
}

}  // namespace

bool JsonReader::read_unsigned(std::uint64_t& value, std::uint64_t most) {
  NumberToken token;
  if (!scan_number(token, "a whole number")) return false;
  if (whole_number(token.text, token.is_whole, value) && value <= most) return true;
  return fail(fmt::format("expected a whole number from 0 to {}, found {}", most,
                          token.text.substr(0, kLongestQuote)));
}

bool JsonReader::read_signed(std::int64_t& value, std::int64_t least, std::int64_t most) {
  NumberToken token;
  if (!scan_number(token, "a whole number")) return false;
  if (whole_number(token.text, token.is_whole, value) && value >= least && value <= most) {
    return true;
  }
  return fail(fmt::format("expected a whole number from {} to {}, found {}", least, most,
                          token.text.substr(0, kLongestQuote)));
}

bool JsonReader::skip_value(int depth) {
  if (depth > kDeepest) return fail_at(position_, fmt::format("nested deeper than {}", kDeepest));
  skip_blanks();
  bool ignored = false;
  double number = 0;
  switch (peek()) {
    case '{':
      return skip_object(depth);
    case '[':
      return skip_array(depth);
    case '"':
      return read(skipped_);
    case 't':
    case 'f':
      return read(ignored);
    case 'n':
      return take_null() || expected("a value");
    default:
      return peek() == '-' || is_digit(peek()) ? read(number) : expected("a value");
  }
}

bool JsonReader::skip_object(int depth) {
  if (!begin_object()) return false;
  std::string_view key;
  for (bool is_first = true; next_key(is_first, key); is_first = false) {
    if (!skip_value(depth + 1)) return false;
  }
  return !has_failed();
}

bool JsonReader::skip_array(int depth) {
  if (!begin_array()) return false;
  for (bool is_first = true; next_element(is_first); is_first = false) {
    if (!skip_value(depth + 1)) return false;
  }
  return !has_failed();
}

}  // namespace ringwise::model

// The strings of JsonReader: plain ones are taken as they stand, escapes are decoded.
#include "model/json_reader.h"
#include "model/json_text.h"

namespace ringwise::model {
namespace {

bool is_plain_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
}

bool is_high_surrogate(std::uint32_t unit) {
  return unit >= 0xD800 && unit <= 0xDBFF;
}
bool is_low_surrogate(std::uint32_t unit) {
  return unit >= 0xDC00 && unit <= 0xDFFF;
}

}  // namespace

/// At an opening quote. Gives a view of the text when it holds no escape, `decoded` otherwise.
bool JsonReader::scan_string(std::string_view& plain, std::string& decoded, bool& is_plain) {
  const std::size_t from = ++position_;
  while (position_ < text_.size() && is_plain_byte(text_[position_])) ++position_;
  plain = text_.substr(from, position_ - from);
  is_plain = peek() == '"' && position_ < text_.size();
  if (is_plain) {
    ++position_;
    return true;
  }
  decoded = plain;
  return decode_string(decoded);
}

bool JsonReader::decode_string(std::string& decoded) {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == '"') {
      ++position_;
      return true;
    }
    if (c == '\\') {
      if (!decode_escape(decoded)) return false;
      continue;
    }
    const std::size_t length = utf8_length(text_.substr(position_));
    if (length == 0) return fail_at(position_, "a string that is not UTF-8");
    if (static_cast<unsigned char>(c) < 0x20) {
      return fail_at(position_, "a control character in a string (a quote is missing?)");
    }
    decoded.append(text_.substr(position_, length));
    position_ += length;
  }
  return fail_at(value_start_, "a string without its closing quote");
}

bool JsonReader::decode_escape(std::string& decoded) {
  constexpr std::string_view kNames = "\"\\/bfnrt";
  constexpr std::string_view kValues = "\"\\/\b\f\n\r\t";
  ++position_;
  const auto known = position_ < text_.size() ? kNames.find(text_[position_]) : kNames.npos;
  if (known != kNames.npos) {
    decoded += kValues[known];
    ++position_;
    return true;
  }
  if (peek() != 'u') return fail_at(position_ - 1, "an unknown escape in a string");
  std::uint32_t unit = 0;
  const std::size_t from = position_ - 1;
  if (!decode_hex(unit)) return false;
  if (is_high_surrogate(unit) && text_.substr(position_).starts_with("\\u")) {
    std::uint32_t low = 0;
    ++position_;
    if (!decode_hex(low)) return false;
    if (!is_low_surrogate(low)) return fail_at(from, "half a surrogate pair in a string");
    unit = 0x10000 + ((unit - 0xD800) << 10U) + (low - 0xDC00);
  } else if (is_high_surrogate(unit) || is_low_surrogate(unit)) {
    return fail_at(from, "half a surrogate pair in a string");
  }
  append_utf8(decoded, unit);
  return true;
}

/// At the 'u' of an escape: its four digits.
bool JsonReader::decode_hex(std::uint32_t& unit) {
  const std::string_view digits = text_.substr(position_ + 1, 4);
  unit = 0;
  for (const char c : digits) {
    constexpr std::string_view kDigits = "0123456789abcdef0123456789ABCDEF";
    const auto digit = kDigits.find(c);
    if (digit == kDigits.npos) break;
    const auto value = static_cast<std::uint32_t>(digit % 16);
    unit = unit * 16 + value;
  }
  if (digits.size() != 4 || digits.find_first_not_of("0123456789abcdefABCDEF") != digits.npos) {
    return fail_at(position_ - 1, "an escape without four hexadecimal digits");
  }
  position_ += 5;
  return true;
}

bool JsonReader::read(std::string& value) {
  skip_blanks();
  value_start_ = position_;
  if (peek() != '"') return expected("a string");
  std::string_view plain;
  bool is_plain = false;
  if (!scan_string(plain, value, is_plain)) return false;
  if (is_plain) value = plain;
  return true;
}

}  // namespace ringwise::model

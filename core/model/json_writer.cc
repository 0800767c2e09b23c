#include "model/json_writer.h"

#include <array>
#include <charconv>

#include "model/json_text.h"

namespace ringwise::model {
namespace {

/// Depth from which containers stand on one line when indented: root 1, "hosts" 2, a host 3,
/// its "interfaces" 4, an interface 5.
constexpr std::size_t kOneLineDepth = 5;

template <typename Number>
void append_number(std::string& text, Number value) {
  std::array<char, 32> digits{};
  const auto [end, code] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  text.append(digits.data(), end);
}

}  // namespace

void JsonWriter::key(std::string_view name) {
  separate();
  append_quoted(text_, name);
  text_ += is_indented_ ? ": " : ":";
}

void JsonWriter::integer(std::int64_t value) {
  append_number(text_, value);
}
void JsonWriter::integer(std::uint64_t value) {
  append_number(text_, value);
}
void JsonWriter::number(double value) {
  append_number(text_, value);
}
void JsonWriter::string(std::string_view value) {
  append_quoted(text_, value);
}

void JsonWriter::open(char bracket, bool on_one_line) {
  text_ += bracket;
  on_one_line_.push_back(on_one_line || !is_indented_ || on_one_line_.size() + 1 >= kOneLineDepth);
  is_first_ = true;
}

void JsonWriter::close(char bracket) {
  const bool on_one_line = on_one_line_.back();
  on_one_line_.pop_back();
  if (!is_first_ && !on_one_line) new_line();
  text_ += bracket;
  is_first_ = false;
}

void JsonWriter::separate() {
  const bool on_one_line = on_one_line_.back();
  if (!is_first_) text_ += on_one_line && is_indented_ ? ", " : ",";
  if (!on_one_line) new_line();
  is_first_ = false;
}

void JsonWriter::new_line() {
  text_ += '\n';
  text_.append(2 * on_one_line_.size(), ' ');
}

}  // namespace ringwise::model

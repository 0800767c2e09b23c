// Reads JSON text token by token, without building a tree. Private to core/model.
// Throws nothing: every function that returns false has left a ReadError behind, and the reader
// stays where it is. Strings must be UTF-8. Nesting is bounded.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ringwise::model {

/// Where and why a text could not be read.
struct ReadError {
  std::size_t line = 1;    ///< from 1
  std::size_t column = 1;  ///< from 1, in bytes
  std::string path;        ///< "results[3].sizes[0].bytes"; empty at the top
  std::string text;        ///< "expected a number, found a string"
};

/// "line 3, column 7: results[3].sizes[0].bytes: expected a number, found a string"
[[nodiscard]] std::string to_text(const ReadError& error);

class JsonReader {
 public:
  /// `text` must outlive the reader.
  explicit JsonReader(std::string_view text) : text_(text) { path_.reserve(16); }

  [[nodiscard]] const std::optional<ReadError>& error() const { return error_; }
  [[nodiscard]] bool has_failed() const { return error_.has_value(); }
  /// Where the value begins that was read or begun last, for fail().
  [[nodiscard]] std::size_t place() const { return value_start_; }
  /// Always false; keeps the first error only.
  bool fail(std::size_t place, std::string text) { return fail_at(place, std::move(text)); }
  bool fail(std::string text) { return fail_at(value_start_, std::move(text)); }
  /// "expected one of A, B, found "C"" at the string read last.
  bool fail_choice(std::string_view choices, std::string_view found);
  /// "expected WHAT, found a string" at the next value.
  bool expected(std::string_view what);

  /// Whether the next value is null; takes it when it is.
  [[nodiscard]] bool take_null();
  [[nodiscard]] bool begin_object() { return open('{', "an object"); }
  [[nodiscard]] bool begin_array() { return open('[', "a list"); }
  /// The next key of the open object: false at its end (which is taken) or after an error. The key
  /// holds until the reader is used again.
  [[nodiscard]] bool next_key(bool is_first, std::string_view& key);
  /// Whether the open list has another element: false at its end (taken) or after an error.
  [[nodiscard]] bool next_element(bool is_first) { return next_in(']', is_first); }
  /// False when anything but blanks follows.
  [[nodiscard]] bool at_end();

  [[nodiscard]] bool read(std::string& value);
  [[nodiscard]] bool read(bool& value);
  [[nodiscard]] bool read(double& value);
  /// Whole numbers, also written as "4e6" or "4.0".
  template <std::integral T>
  [[nodiscard]] bool read(T& value) {
    if constexpr (std::is_unsigned_v<T>) {
      std::uint64_t wide = 0;
      if (!read_unsigned(wide, std::numeric_limits<T>::max())) return false;
      value = static_cast<T>(wide);
    } else {
      std::int64_t wide = 0;
      if (!read_signed(wide, std::numeric_limits<T>::min(), std::numeric_limits<T>::max())) {
        return false;
      }
      value = static_cast<T>(wide);
    }
    return true;
  }
  /// Any value, checked for syntax and thrown away.
  [[nodiscard]] bool skip() { return skip_value(0); }

  /// The place for error texts. `key` must hold until pop().
  void push(std::string_view key) { path_.push_back({key, 0, false}); }
  void push_element() { path_.push_back({{}, 0, true}); }
  void count_element(std::size_t index) { path_.back().index = index; }
  void pop() { path_.pop_back(); }

 private:
  struct Segment {
    std::string_view key;
    std::size_t index = 0;
    bool is_element = false;
  };
  struct NumberToken {
    std::string_view text;
    bool is_whole = false;  ///< written without fraction and exponent
  };

  bool fail_at(std::size_t position, std::string text);
  [[nodiscard]] std::string found() const;
  [[nodiscard]] char peek() const { return position_ < text_.size() ? text_[position_] : '\0'; }
  void skip_blanks();
  bool open(char bracket, std::string_view what);
  bool next_in(char closing, bool is_first);
  bool scan_string(std::string_view& plain, std::string& decoded, bool& is_plain);
  bool decode_string(std::string& decoded);
  bool decode_escape(std::string& decoded);
  bool decode_hex(std::uint32_t& unit);
  bool take_word(std::string_view word);
  bool scan_number(NumberToken& token, std::string_view what);
  bool read_unsigned(std::uint64_t& value, std::uint64_t most);
  bool read_signed(std::int64_t& value, std::int64_t least, std::int64_t most);
  bool skip_value(int depth);
  bool skip_object(int depth);
  bool skip_array(int depth);

  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t value_start_ = 0;
  std::string key_;      ///< the last key, when it had escapes
  std::string skipped_;  ///< of strings that nobody wants
  std::vector<Segment> path_;
  std::optional<ReadError> error_;
};

}  // namespace ringwise::model

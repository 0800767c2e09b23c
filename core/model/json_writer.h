// Writes model values as JSON text straight into a string. Private to core/model.
#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ringwise::model {

enum class JsonLayout {
  kIndented,  ///< two blanks a level; objects that lie four levels deep stand on one line
  kOneLine,   ///< no blanks at all
};

/// Appends JSON to its text. Numbers are written so that they read back equal; what is no number
/// (NaN, infinity) has no key and no element; bad UTF-8 becomes U+FFFD.
class JsonWriter {
 public:
  explicit JsonWriter(JsonLayout layout) : is_indented_(layout == JsonLayout::kIndented) {}

  /// The text so far; the writer is empty afterwards.
  [[nodiscard]] std::string take() { return std::exchange(text_, {}); }

  void begin_object() { open('{', false); }
  void end_object() { close('}'); }
  /// A list of scalars stands on one line.
  void begin_array(bool of_scalars) { open('[', of_scalars); }
  void end_array() { close(']'); }
  /// Before each element of a list.
  void next() { separate(); }
  void key(std::string_view name);

  void null() { text_ += "null"; }
  void boolean(bool value) { text_ += value ? "true" : "false"; }
  void integer(std::int64_t value);
  void integer(std::uint64_t value);
  void number(double value);
  void string(std::string_view value);

 private:
  void open(char bracket, bool on_one_line);
  void close(char bracket);
  void separate();
  void new_line();

  std::string text_;
  bool is_indented_;
  bool is_first_ = true;           ///< nothing written yet in the innermost container
  std::vector<bool> on_one_line_;  ///< of every open container
};

template <typename T>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <typename T>
inline constexpr bool kIsVector = false;
template <typename T>
inline constexpr bool kIsVector<std::vector<T>> = true;
template <typename T>
inline constexpr bool kIsMap = false;
template <typename T>
inline constexpr bool kIsMap<std::map<std::string, T>> = true;

}  // namespace ringwise::model

// One line of comma separated values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace ringwise::report {

/// RFC 4180: quoted where it has to be. Control characters never reach the output, and what a
/// spreadsheet would run as a formula is text there (source: OWASP, "CSV Injection").
[[nodiscard]] std::string csv_cell(std::string_view text);

/// The shortest text that reads back as the number.
[[nodiscard]] std::string csv_number(double value);
[[nodiscard]] std::string csv_number(std::int64_t value);
[[nodiscard]] std::string csv_number(std::uint64_t value);

/// Cells in their order; absent values are empty cells.
class CsvRow {
 public:
  CsvRow& add(std::string_view text) { return put(csv_cell(text)); }
  CsvRow& add(const std::string& text) { return add(std::string_view(text)); }
  CsvRow& add(const char* text) { return add(std::string_view(text)); }
  CsvRow& add(bool value) { return add(value ? "true" : "false"); }
  template <typename Number>
    requires std::is_arithmetic_v<Number>
  CsvRow& add(Number value) {
    if constexpr (std::is_floating_point_v<Number>) {
      return put(csv_number(static_cast<double>(value)));
    } else if constexpr (std::is_signed_v<Number>) {
      return put(csv_number(static_cast<std::int64_t>(value)));
    } else {
      return put(csv_number(static_cast<std::uint64_t>(value)));
    }
  }
  template <typename T>
  CsvRow& add(const std::optional<T>& value) {
    return value ? add(*value) : add("");
  }
  CsvRow& skip(int cells) {
    for (int i = 0; i < cells; ++i) add("");
    return *this;
  }
  [[nodiscard]] std::string line() const { return text_ + "\n"; }

 private:
  CsvRow& put(const std::string& cell) {
    if (has_cell_) text_ += ',';
    text_ += cell;
    has_cell_ = true;
    return *this;
  }
  std::string text_;
  bool has_cell_ = false;
};

}  // namespace ringwise::report

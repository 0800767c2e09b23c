// Model values to and from JSON by their field tables. Private to core/model.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "model/fields.h"
#include "model/json_reader.h"
#include "model/json_writer.h"

namespace ringwise::model {

template <typename T>
inline constexpr bool kIsScalar =
    std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::string>;
/// A type with a field table.
template <typename T>
inline constexpr bool kIsObject = !kIsScalar<T> && !kIsOptional<T> && !kIsVector<T> && !kIsMap<T>;

template <typename T>
[[nodiscard]] bool has_value(const T& value) {
  if constexpr (std::is_same_v<T, double>) return std::isfinite(value);
  if constexpr (kIsOptional<T>) return value.has_value() && has_value(*value);
  return true;
}

template <typename T>
void write_value(JsonWriter& out, const T& value);

struct WriteFields {
  JsonWriter& out;

  template <typename T>
  void operator()(std::string_view name, const T& value) const {
    if (!has_value(value)) return;
    out.key(name);
    write_value(out, value);
  }
  template <typename T>
  void operator()(std::string_view name, const T& value, Needed) const {
    (*this)(name, value);
  }
  template <typename T>
  void operator()(std::string_view name, const T& value, Nullable) const {
    out.key(name);
    if (has_value(value)) {
      write_value(out, value);
    } else {
      out.null();
    }
  }
};

template <typename T>
void write_vector(JsonWriter& out, const std::vector<T>& values) {
  out.begin_array(kIsScalar<T>);
  for (const T& value : values) {
    if (!has_value(value)) continue;
    out.next();
    write_value(out, value);
  }
  out.end_array();
}

template <typename T>
void write_value(JsonWriter& out, const T& value) {
  if constexpr (kIsOptional<T>) {
    write_value(out, *value);
  } else if constexpr (std::is_same_v<T, bool>) {
    out.boolean(value);
  } else if constexpr (std::is_same_v<T, double>) {
    out.number(value);
  } else if constexpr (std::is_unsigned_v<T>) {
    out.integer(std::uint64_t{value});
  } else if constexpr (std::is_integral_v<T>) {
    out.integer(std::int64_t{value});
  } else if constexpr (std::is_enum_v<T>) {
    out.string(to_text(value));
  } else if constexpr (std::is_same_v<T, std::string>) {
    out.string(value);
  } else if constexpr (kIsVector<T>) {
    write_vector(out, value);
  } else if constexpr (kIsMap<T>) {
    out.begin_object();
    for (const auto& [key, mapped] : value) WriteFields{out}(key, mapped);
    out.end_object();
  } else {
    out.begin_object();
    WriteFields write{out};
    fields(write, value);
    out.end_object();
  }
}

template <typename T>
[[nodiscard]] bool read_value(JsonReader& in, T& value);

/// One pass over the fields of an object in their order: takes each key that comes next in the
/// text. A text in the written order needs one pass; every further pass takes what stood earlier.
class ReadFields {
 public:
  ReadFields(JsonReader& in, bool has_key, std::string_view key)
      : in_(in), key_(key), has_key_(has_key) {}

  template <typename T>
  void operator()(std::string_view name, T& value) {
    const std::uint64_t bit = std::uint64_t{1} << field_++;
    if (!has_key_ || key_ != name) return;
    in_.push(name);
    if (!read_value(in_, value)) {
      has_key_ = false;
      return;
    }
    in_.pop();
    seen_ |= bit;
    has_matched_ = true;
    has_key_ = in_.next_key(false, key_);
  }
  template <typename T>
  void operator()(std::string_view name, T& value, Needed) {
    (*this)(name, value);
  }
  template <typename T>
  void operator()(std::string_view name, T& value, Nullable) {
    (*this)(name, value);
  }

  void begin_pass() {
    field_ = 0;
    has_matched_ = false;
  }
  /// After a pass that took nothing: the key is unknown, its value is thrown away.
  void skip_unknown() { has_key_ = in_.skip() && in_.next_key(false, key_); }
  [[nodiscard]] bool has_key() const { return has_key_; }
  [[nodiscard]] bool has_matched() const { return has_matched_; }
  [[nodiscard]] std::uint64_t seen() const { return seen_; }

 private:
  JsonReader& in_;
  std::string_view key_;
  bool has_key_;
  bool has_matched_ = false;
  unsigned field_ = 0;
  std::uint64_t seen_ = 0;  ///< one bit a field
};

/// Finds the first needed field that was not seen.
struct FindMissing {
  std::uint64_t seen;
  std::string_view missing;
  unsigned field = 0;

  template <typename T>
  void operator()(std::string_view, T&) {
    ++field;
  }
  template <typename T>
  void operator()(std::string_view, T&, Nullable) {
    ++field;
  }
  template <typename T>
  void operator()(std::string_view name, T&, Needed) {
    if (((seen >> field) & 1U) == 0 && missing.empty()) missing = name;
    ++field;
  }
};

template <typename T>
bool read_object(JsonReader& in, T& value) {
  if (!in.begin_object()) return false;
  const std::size_t place = in.place();
  std::string_view key;
  const bool has_key = in.next_key(true, key);
  ReadFields read(in, has_key, key);
  while (read.has_key()) {
    read.begin_pass();
    fields(read, value);
    if (!read.has_matched() && read.has_key()) read.skip_unknown();
  }
  if (in.has_failed()) return false;
  FindMissing find{read.seen(), {}};
  fields(find, value);
  if (find.missing.empty()) return true;
  return in.fail(place, std::string("there is no \"").append(find.missing).append("\" here"));
}

template <typename T>
bool read_vector(JsonReader& in, std::vector<T>& values) {
  if (!in.begin_array()) return false;
  in.push_element();
  for (bool is_first = true; in.next_element(is_first); is_first = false) {
    in.count_element(values.size());
    T& value = values.emplace_back();
    if constexpr (kIsObject<T>) {
      if (!read_object(in, value)) return false;
    } else {
      if (!read_value(in, value)) return false;
    }
  }
  if (in.has_failed()) return false;
  in.pop();
  return true;
}

template <typename T>
bool read_map(JsonReader& in, std::map<std::string, T>& values) {
  if (!in.begin_object()) return false;
  std::string_view key;
  for (bool is_first = true; in.next_key(is_first, key); is_first = false) {
    const std::string name(key);
    in.push(name);
    if (!read_value(in, values[name])) return false;
    in.pop();
  }
  return !in.has_failed();
}

template <typename Enum>
bool read_enum(JsonReader& in, Enum& value) {
  std::string text;
  if (!in.read(text)) return false;
  std::string known;
  for (int i = 0; i < kEnumCount<Enum>; ++i) {
    const std::string_view name = to_text(static_cast<Enum>(i));
    if (text == name) {
      value = static_cast<Enum>(i);
      return true;
    }
    known.append(known.empty() ? "" : ", ").append(name);
  }
  return in.fail_choice(known, text);
}

template <typename T>
bool read_value(JsonReader& in, T& value) {
  if constexpr (kIsOptional<T>) {
    value.reset();
    return in.take_null() || read_value(in, value.emplace());
  } else if constexpr (std::is_enum_v<T>) {
    return read_enum(in, value);
  } else if constexpr (kIsVector<T>) {
    value.clear();
    return read_vector(in, value);
  } else if constexpr (kIsMap<T>) {
    value.clear();
    return read_map(in, value);
  } else if constexpr (kIsScalar<T>) {
    return in.read(value);
  } else {
    value = T{};
    return read_object(in, value);
  }
}

/// The whole text as one value. Gives the error when it is none.
template <typename T>
[[nodiscard]] std::optional<ReadError> parse_value(std::string_view text, T& value) {
  JsonReader in(text);
  if (read_value(in, value) && in.at_end()) return std::nullopt;
  return in.error();
}

template <typename T>
[[nodiscard]] std::string format_value(const T& value, JsonLayout layout) {
  JsonWriter out(layout);
  write_value(out, value);
  return out.take();
}

}  // namespace ringwise::model

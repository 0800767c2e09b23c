// The characters of JSON strings. Private to core/model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ringwise::model {

/// Bytes of the UTF-8 sequence that `text` begins with; 0 when it is none (overlong forms,
/// surrogates and values above U+10FFFF included). source: RFC 3629 §4
[[nodiscard]] std::size_t utf8_length(std::string_view text);

/// Appends one code point below U+110000.
void append_utf8(std::string& text, std::uint32_t code_point);

/// Appends `value` in quotes; bad UTF-8 becomes U+FFFD, a byte each.
void append_quoted(std::string& text, std::string_view value);

}  // namespace ringwise::model

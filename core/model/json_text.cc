#include "model/json_text.h"

#include "model/json.h"

namespace ringwise::model {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

struct LeadByte {
  std::size_t length = 0;
  unsigned char second_from = 0x80;
  unsigned char second_to = 0xBF;
};

/// The well-formed sequences of RFC 3629 §4 by their first byte.
LeadByte lead_byte(unsigned char byte) {
  if (byte < 0x80) return {.length = 1};
  if (byte >= 0xC2 && byte <= 0xDF) return {.length = 2};
  if (byte == 0xE0) return {.length = 3, .second_from = 0xA0};
  if (byte == 0xED) return {.length = 3, .second_to = 0x9F};
  if (byte > 0xE0 && byte <= 0xEF) return {.length = 3};
  if (byte == 0xF0) return {.length = 4, .second_from = 0x90};
  if (byte == 0xF4) return {.length = 4, .second_to = 0x8F};
  if (byte > 0xF0 && byte < 0xF4) return {.length = 4};
  return {};
}

bool is_plain(unsigned char byte) {
  return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

void append_escaped(std::string& text, unsigned char byte) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  switch (byte) {
    case '"':
      text += "\\\"";
      return;
    case '\\':
      text += "\\\\";
      return;
    case '\n':
      text += "\\n";
      return;
    case '\t':
      text += "\\t";
      return;
    case '\r':
      text += "\\r";
      return;
    default:
      text += "\\u00";
      text += kDigits[byte >> 4U];
      text += kDigits[byte & 0xFU];
  }
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const LeadByte lead = lead_byte(byte(0));
  if (lead.length < 2) return lead.length;
  if (lead.length > text.size()) return 0;
  if (byte(1) < lead.second_from || byte(1) > lead.second_to) return 0;
  for (std::size_t i = 2; i < lead.length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return 0;
  }
  return lead.length;
}

void append_utf8(std::string& text, std::uint32_t code_point) {
  const auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  const auto tail = [&](unsigned shift) { put(0x80U | ((code_point >> shift) & 0x3FU)); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0U | (code_point >> 6U));
    tail(0);
  } else if (code_point < 0x10000) {
    put(0xE0U | (code_point >> 12U));
    tail(6);
    tail(0);
  } else {
    put(0xF0U | (code_point >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
}

void append_quoted(std::string& text, std::string_view value) {
  text += '"';
  while (!value.empty()) {
    std::size_t plain = 0;
    while (plain < value.size() && is_plain(static_cast<unsigned char>(value[plain]))) ++plain;
    text.append(value.substr(0, plain));
    value.remove_prefix(plain);
    if (value.empty()) break;
    const auto byte = static_cast<unsigned char>(value.front());
    const std::size_t length = utf8_length(value);
    if (byte < 0x80) {
      append_escaped(text, byte);
    } else {
      text.append(length == 0 ? kReplacement : value.substr(0, length));
    }
    value.remove_prefix(length == 0 ? 1 : length);
  }
  text += '"';
}

}  // namespace ringwise::model

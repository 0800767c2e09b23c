#include "app/probe/settings.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/units.h"

namespace ringwise::app {
namespace {

constexpr std::size_t kMostLeftOut = 4;

bool is_name(std::string_view text) {
  const auto is_part = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !text.empty() && std::all_of(text.begin(), text.end(), is_part);
}

std::string_view without_quotes(std::string_view text) {
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') &&
      text.back() == text.front()) {
    return text.substr(1, text.size() - 2);
  }
  return text;
}

}  // namespace

std::map<std::string, std::string> parse_settings(std::string_view text,
                                                  const std::string& origin) {
  std::map<std::string, std::string> values;
  int number = 0;
  for (const auto& raw : base::split(text, '\n')) {
    ++number;
    std::string_view line = base::trim(raw);
    if (line.empty() || line.front() == '#') continue;
    if (line.starts_with("export ")) line = base::trim(line.substr(7));
    const auto equals = line.find('=');
    const auto name = line.substr(0, equals);
    const auto fail = [&](std::string_view why) {
      throw Error(ErrorKind::kUsage, fmt::format("{}:{}: {}: '{}'", base::printable(origin), number,
                                                 why, base::printable(line)));
    };
    if (equals == std::string_view::npos || !is_name(name)) fail("expected NAME=VALUE");
    if (!name.starts_with("NCCL_") && !name.starts_with("RINGWISE_")) {
      fail("only NCCL_* and RINGWISE_* can be tried");
    }
    const auto value = without_quotes(base::trim(line.substr(equals + 1)));
    if (value.find('\0') != std::string_view::npos) fail("a value with a zero byte");
    values[std::string(name)] = std::string(value);
  }
  return values;
}

std::vector<SettingsSet> load_settings(const std::vector<std::string>& names) {
  std::vector<SettingsSet> sets;
  if (names.empty()) return sets;
  sets.push_back({"default", {}});
  for (const auto& name : names) {
    if (name == "default") continue;
    const auto text = base::read_text(name);
    if (!text) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("--settings: {} cannot be read", base::printable(name)));
    }
    const auto values = parse_settings(*text, name);
    if (values.empty()) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("--settings: {} sets nothing: there is nothing to compare",
                              base::printable(name)));
    }
    sets.push_back({name, values});
    if (values.size() < 2 || values.size() > kMostLeftOut) continue;
    for (const auto& [left_out, value] : values) {
      SettingsSet fewer{fmt::format("{}-{}", name, left_out), values};
      fewer.values.erase(left_out);
      sets.push_back(std::move(fewer));
    }
  }
  return sets;
}

}  // namespace ringwise::app

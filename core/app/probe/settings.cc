#include "app/probe/settings.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/units.h"
#include "model/json.h"
#include "plan/ring_variables.h"

namespace ringwise::app {
namespace {

constexpr std::size_t kMostLeftOut = 4;
/// Characters of a wrong line that an error shows.
constexpr std::size_t kMostShown = 80;

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

struct Bounds {
  const char* name;
  int low;
  int high;
};
/// What NCCL takes; it would measure something else without a word in the result.
/// source: NCCL 2.30.7 src/transport/net_socket.cc (MAX_THREADS, MAX_SOCKETS), src/include/device.h
/// (MAXCHANNELS)
constexpr Bounds kBounds[] = {{"NCCL_SOCKET_NTHREADS", -2, 16},
                              {"NCCL_NSOCKS_PERTHREAD", -2, 64},
                              {"NCCL_MIN_NCHANNELS", -2, 64},
                              {"NCCL_MAX_NCHANNELS", -2, 64}};

std::string check_number(std::string_view name, std::string_view value) {
  for (const auto& bounds : kBounds) {
    if (name != bounds.name) continue;
    const auto number = base::parse_int(value);
    if (number && *number >= bounds.low && *number <= bounds.high) return {};
    return fmt::format("NCCL takes a whole number up to {}", bounds.high);
  }
  return {};
}

void check_product(const std::map<std::string, std::string>& values, const std::string& origin) {
  const auto threads = values.find("NCCL_SOCKET_NTHREADS");
  const auto sockets = values.find("NCCL_NSOCKS_PERTHREAD");
  if (threads == values.end() || sockets == values.end()) return;
  const auto product = *base::parse_int(threads->second) * *base::parse_int(sockets->second);
  if (product <= kMaxSockets) return;
  throw Error(
      ErrorKind::kUsage,
      fmt::format("--settings: {}: NCCL_SOCKET_NTHREADS x NCCL_NSOCKS_PERTHREAD is {}, NCCL "
                  "allows {}",
                  base::printable(origin), product, kMaxSockets));
}

std::vector<std::string> names_to_try() {
  const auto names = plan::ring_variables();
  return {names.begin(), names.end()};
}

/// Takes out what the ring would be measured without in any case.
void drop_untried(SettingsSet& set, std::vector<std::string>& warnings) {
  for (auto entry = set.values.begin(); entry != set.values.end();) {
    if (plan::is_ring_variable(entry->first)) {
      ++entry;
      continue;
    }
    auto warning = fmt::format("{}: tcp-allreduce does not act on it: not tried", entry->first);
    if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) {
      warnings.push_back(std::move(warning));
    }
    entry = set.values.erase(entry);
  }
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
      throw Error(ErrorKind::kUsage,
                  fmt::format("--settings: {}:{}: {}: '{}{}'", base::printable(origin), number, why,
                              base::printable(line.substr(0, kMostShown)),
                              line.size() > kMostShown ? "..." : ""));
    };
    if (equals == std::string_view::npos || !is_name(name)) fail("expected NAME=VALUE");
    if (!name.starts_with("NCCL_") && !name.starts_with("RINGWISE_")) {
      fail("only NCCL_* and RINGWISE_* can be tried");
    }
    const auto value = without_quotes(base::trim(line.substr(equals + 1)));
    if (value.find('\0') != std::string_view::npos) fail("a value with a zero byte");
    if (!model::is_utf8(value)) fail("a value that is not UTF-8");
    if (const auto why = check_number(name, value); !why.empty()) fail(why);
    if (values.contains(std::string(name))) fail("this variable is set above");
    values[std::string(name)] = std::string(value);
  }
  check_product(values, origin);
  return values;
}

LoadedSettings load_settings(const std::vector<std::string>& names) {
  LoadedSettings loaded;
  auto& sets = loaded.sets;
  if (names.empty()) return loaded;
  sets.push_back({"default", {}});
  for (const auto& name : names) {
    if (name == "default") continue;
    SettingsSet set{name, parse_settings(base::read_input(name, {.named_by = "--settings"}), name)};
    if (set.values.empty()) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("--settings: {} sets nothing: there is nothing to compare",
                              base::printable(name)));
    }
    drop_untried(set, loaded.warnings);
    if (set.values.empty()) {
      throw Error(
          ErrorKind::kUsage,
          fmt::format("--settings: {} sets nothing that tcp-allreduce acts on; it can try {}",
                      base::printable(name), base::join(names_to_try(), ", ")));
    }
    const auto values = set.values;
    sets.push_back(std::move(set));
    if (values.size() < 2 || values.size() > kMostLeftOut) continue;
    for (const auto& [left_out, value] : values) {
      SettingsSet fewer{fmt::format("{}-{}", name, left_out), values};
      fewer.values.erase(left_out);
      sets.push_back(std::move(fewer));
    }
  }
  return loaded;
}

}  // namespace ringwise::app

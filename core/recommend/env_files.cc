#include "recommend/env_files.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "base/units.h"

namespace ringwise::recommend {
namespace {

using model::AdviceState;

/// NCCL cuts longer values. Source: NCCL 2.30.7 src/misc/param.cc (setEnvFile).
constexpr std::size_t kLongestValue = 1023;

/// Records come from outside: a line break in a value would be a line of its own in nccl.conf, and
/// no other variable than these may reach a job's environment.
bool is_safe(const std::string& name, const std::string& value) {
  const bool is_name = std::all_of(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
  const bool is_ours = name.starts_with("NCCL_") || name.starts_with("RINGWISE_");
  return is_name && is_ours && base::printable(value) == value && value.size() <= kLongestValue;
}

bool is_written(const model::Advice& advice) {
  if (advice.where != "env" || advice.state == AdviceState::kUnset ||
      advice.state == AdviceState::kDropped) {
    return false;
  }
  if (advice.value && !is_safe(advice.name, *advice.value)) return false;
  return (advice.value || !advice.per_host.empty()) &&
         std::all_of(advice.per_host.begin(), advice.per_host.end(),
                     [&](const auto& own) { return is_safe(advice.name, own.second); });
}

/// Comment lines of at most 100 columns.
std::string comment(std::string_view text) {
  constexpr std::size_t kWidth = 100;
  std::string out;
  std::string line = "#";
  for (const auto& word : base::split(base::printable(text), ' ')) {
    if (line.size() + 1 + word.size() > kWidth && line.size() > 1) {
      out += line + "\n";
      line = "#  ";
    }
    line += " " + word.substr(0, kLongestValue);
  }
  return out + line + "\n";
}

/// NCCL's file has no quotes and no trimming, and ends a value at the line's end.
/// Source: NCCL 2.30.7 src/misc/param.cc (setEnvFile).
std::string conf_line(const std::string& name, const std::string& value) {
  return fmt::format("{}={}\n", name, value);
}

std::string env_line(const std::string& name, const std::string& value) {
  return fmt::format("{}={}\n", name, shell_quoted(value));
}

/// `line` writes one setting; the reasons stand above it as comments.
template <typename Line>
std::string body(const std::vector<model::Advice>& advice, const std::string* host, Line line) {
  std::string text;
  for (const auto& one : advice) {
    if (!is_written(one)) continue;
    std::optional<std::string> value = one.value;
    if (host != nullptr && one.per_host.contains(*host)) value = one.per_host.at(*host);
    text += "\n" + comment(fmt::format("{}: {}", model::to_text(one.state), one.reason));
    text +=
        value
            ? line(one.name, *value)
            : comment(fmt::format("{} differs from host to host: see nccl.<host>.conf", one.name));
  }
  return text.empty() ? "\n# Nothing to set: NCCL's defaults are right, or nothing was concluded.\n"
                      : text;
}

std::string heading(const std::string& what, const std::string& origin) {
  return fmt::format("{} from {}\n{}", kMark, base::printable(origin), what);
}

bool has_own_values(const std::vector<model::Advice>& advice) {
  return std::any_of(advice.begin(), advice.end(),
                     [](const auto& one) { return is_written(one) && !one.per_host.empty(); });
}

}  // namespace

std::map<std::string, std::string> common_settings(const std::vector<model::Advice>& advice) {
  std::map<std::string, std::string> settings;
  for (const auto& one : advice) {
    if (is_written(one) && one.value) settings[one.name] = *one.value;
  }
  return settings;
}

std::map<std::string, std::string> settings_of(const std::vector<model::Advice>& advice,
                                               const std::string& host) {
  auto settings = common_settings(advice);
  for (const auto& one : advice) {
    const auto own = one.per_host.find(host);
    if (is_written(one) && own != one.per_host.end()) settings[one.name] = own->second;
  }
  return settings;
}

std::vector<OutputFile> env_files(const std::vector<model::Advice>& advice,
                                  const std::vector<std::string>& hosts,
                                  const std::string& origin) {
  std::vector<OutputFile> files;
  files.push_back({"nccl.env", heading("# Use: set -a; . ./nccl.env; set +a   (or mpirun -x NAME "
                                       "for each; NCCL reads them at start)\n",
                                       origin) +
                                   body(advice, nullptr, env_line)});
  files.push_back(
      {"nccl.conf", heading("# Use: as /etc/nccl.conf or ~/.nccl.conf, or NCCL_CONF_FILE=PATH; the "
                            "environment comes first\n",
                            origin) +
                        body(advice, nullptr, conf_line)});
  if (!has_own_values(advice)) return files;
  for (const auto& host : hosts) {
    files.push_back(
        {fmt::format("nccl.{}.conf", file_part(host)),
         heading(fmt::format("# Use: as /etc/nccl.conf on {} only\n", base::printable(host)),
                 origin) +
             body(advice, &host, conf_line)});
  }
  return files;
}

std::string shell_quoted(std::string_view value) {
  constexpr std::string_view kPlain = "_./:,=^+@%-";
  const bool is_plain = !value.empty() && std::all_of(value.begin(), value.end(), [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           kPlain.find(c) != std::string_view::npos;
  });
  if (is_plain) return std::string(value);
  std::string out = "'";
  for (const char c : value) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string file_part(std::string_view host) {
  std::string part;
  for (const char c : host) {
    const bool is_kept =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '_';
    part += is_kept ? c : '_';
  }
  return part.empty() || part.front() == '.' ? "_" + part : part;
}

}  // namespace ringwise::recommend

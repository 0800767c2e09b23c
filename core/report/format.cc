#include "report/format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/units.h"
#include "model/mode_label.h"

namespace ringwise::report {
namespace {

void add_part(std::string& text, std::string_view part) {
  if (part.empty()) return;
  if (!text.empty()) text += ", ";
  text += part;
}

std::string streams(const model::Result& result) {
  std::vector<std::string> parts;
  if (result.channels)
    parts.push_back(count(static_cast<std::uint64_t>(*result.channels), "channel"));
  if (result.threads) parts.push_back(count(static_cast<std::uint64_t>(*result.threads), "thread"));
  if (result.sockets) parts.push_back(count(static_cast<std::uint64_t>(*result.sockets), "socket"));
  if (result.qps) parts.push_back(count(static_cast<std::uint64_t>(*result.qps), "QP"));
  return base::join(parts, " x ");
}

}  // namespace

std::string number(const std::optional<double>& value) {
  if (!value || !std::isfinite(*value)) return "-";
  const double size = std::abs(*value);
  const int decimals = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : size >= 1 ? 3 : 4;
  // Below 0.001, four decimals would show less than two digits.
  if (size > 0 && size < 0.001) return fmt::format("{:.2g}", *value);
  return fmt::format("{:.{}f}", *value, decimals);
}

std::string interval(const std::optional<double>& low, const std::optional<double>& high) {
  if (!low || !high) return "-";
  return fmt::format("{}-{}", number(low), number(high));
}

std::string microseconds(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? base::format_us(*value) : "-";
}

std::string verification(const model::SizeResult& size) {
  if (size.samples == 0 && !size.verified) return "-";
  if (size.wrong.value_or(0) > 0) return fmt::format("{} WRONG", *size.wrong);
  return size.verified ? "verified" : "unverified";
}

std::string byte_rate(double bytes_per_s) {
  static constexpr std::array<std::pair<double, const char*>, 4> kUnits{
      {{1, "B/s"}, {1e3, "kB/s"}, {1e6, "MB/s"}, {1e9, "GB/s"}}};
  auto unit = kUnits[0];
  for (const auto& candidate : kUnits) {
    if (bytes_per_s >= candidate.first) unit = candidate;
  }
  return fmt::format("{:.3g} {}", bytes_per_s / unit.first, unit.second);
}

std::string title(const model::Result& result) {
  std::string text = base::printable(result.probe);
  if (result.variant) text += " " + base::printable(*result.variant);
  if (result.settings_name && (*result.settings_name != "default" || !result.settings.empty())) {
    text += fmt::format(" [{}]", base::printable(*result.settings_name));
  }
  return text;
}

std::string configuration(const model::Result& result) {
  std::string text;
  if (result.mode) add_part(text, "mode " + base::printable(*result.mode));
  if (result.interface) add_part(text, base::printable(*result.interface));
  if (result.device) add_part(text, base::printable(*result.device));
  if (result.gid_index) add_part(text, fmt::format("GID {}", *result.gid_index));
  add_part(text, streams(result));
  if (result.family) add_part(text, *result.family == "inet6" ? "IPv6" : "IPv4");
  if (result.dtype && result.op) {
    add_part(text, base::printable(*result.dtype) + " " + base::printable(*result.op));
  }
  if (result.memory != "host") add_part(text, base::printable(result.memory));
  return text;
}

std::string titled(const model::Result& result) {
  const auto with = configuration(result);
  return with.empty() ? title(result) : fmt::format("{} ({})", title(result), with);
}

std::string path_proof(const model::Result& result) {
  std::string text = model::to_text(result.path_proof.state);
  if (!result.path_proof.reason.empty()) text += ": " + base::printable(result.path_proof.reason);
  return text;
}

std::string place(const model::Problem& problem) {
  std::string text;
  if (problem.rank) {
    text = fmt::format("rank {}", *problem.rank);
    if (problem.host) text += " on " + base::printable(*problem.host);
  } else if (problem.host) {
    text = base::printable(*problem.host);
  }
  if (problem.interface) add_part(text, base::printable(*problem.interface));
  if (problem.peer || problem.peer_host) {
    std::string peer = "peer";
    if (problem.peer) peer += fmt::format(" rank {}", *problem.peer);
    if (problem.peer_host) peer += " on " + base::printable(*problem.peer_host);
    add_part(text, peer);
  }
  if (problem.step) add_part(text, fmt::format("at \"{}\"", base::printable(*problem.step)));
  return text;
}

std::string disturbances(const model::Result& result) {
  std::string text;
  if (result.background_bytes_per_s) {
    std::string part = "background " + byte_rate(*result.background_bytes_per_s);
    if (result.background_share) {
      part += fmt::format(" ({:.2g} % of the link)", *result.background_share * 100);
    }
    add_part(text, part);
  }
  if (result.cpu_throttled_us) {
    const auto us = *result.cpu_throttled_us;
    add_part(text, us == 0 ? "CPU not throttled"
                           : "CPU throttled for " + base::format_us(static_cast<double>(us)));
  }
  if (result.cpu_seconds) add_part(text, fmt::format("{:.3g} s of CPU", *result.cpu_seconds));
  if (result.stray_connections.value_or(0) > 0) {
    add_part(text, count(*result.stray_connections, "stray connection") + " dropped");
  }
  return text;
}

std::string world(const model::Launch& launch) {
  std::string text =
      fmt::format("{} on {}", count(static_cast<std::uint64_t>(launch.ranks), "rank"),
                  count(static_cast<std::uint64_t>(launch.nodes), "node"));
  const auto& each = launch.ranks_per_node;
  if (!each.empty() &&
      std::all_of(each.begin(), each.end(), [&](int ranks) { return ranks == each.front(); })) {
    text += fmt::format(" ({} a node)", each.front());
  } else if (!each.empty()) {
    text += fmt::format(" ({} a node)", fmt::join(each, ", "));
  }
  return text;
}

std::string mode(const model::Mode& mode) {
  const auto shown = [](const std::optional<std::string>& name) { return base::printable(*name); };
  const bool is_detected = mode.detected && *mode.detected != model::kUnknownMode;
  if (mode.label && is_detected && *mode.label == *mode.detected) {
    return shown(mode.label) + " (label, and detected)";
  }
  if (mode.label && is_detected) {
    return fmt::format("{} (label); detected: {}", shown(mode.label), shown(mode.detected));
  }
  if (mode.label) return shown(mode.label) + " (label; not detected)";
  if (is_detected) return shown(mode.detected) + " (detected)";
  return "not known: the evidence does not decide (--mode names it)";
}

std::string count(std::uint64_t number, const std::string& noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::optional<std::string> trouble(const model::Result& result) {
  std::vector<std::string> parts;
  if (result.status == model::Status::kFailed) {
    parts.push_back("failed" + (result.reason ? ": " + base::printable(*result.reason) : ""));
  }
  if (result.path_proof.state == model::ProofState::kContradicted) {
    parts.push_back("path proof " + path_proof(result));
  }
  std::uint64_t wrong = 0;
  for (const auto& size : result.sizes) wrong += size.wrong.value_or(0);
  if (wrong > 0) parts.push_back(count(wrong, "wrong element") + " in the verified data");
  const auto failed_pairs =
      std::count_if(result.pairs.begin(), result.pairs.end(),
                    [](const auto& p) { return p.status == model::Status::kFailed; });
  if (failed_pairs > 0)
    parts.push_back(count(static_cast<std::uint64_t>(failed_pairs), "pair") + " failed");
  if (result.provenance != "measured")
    parts.push_back("not measured but " + base::printable(result.provenance));
  if (result.background_share.value_or(0) > kBackgroundLimit) {
    parts.push_back(fmt::format("other traffic used {:.2g} % of the link: inconclusive",
                                *result.background_share * 100));
  }
  if (result.cpu_throttled_us.value_or(0) > 0) {
    parts.push_back(fmt::format("the CPU quota stopped it for {}: inconclusive",
                                base::format_us(static_cast<double>(*result.cpu_throttled_us))));
  }
  if (parts.empty()) return std::nullopt;
  return base::join(parts, "; ");
}

std::vector<std::string> missing(const model::RunRecord& record) {
  std::vector<std::string> lines;
  if (record.complete) return lines;
  const auto& launch = record.launch;
  const auto compare = [&](const std::optional<int>& asked, int have, const char* noun) {
    if (asked && *asked > have) {
      lines.push_back(fmt::format("{} of {} were asked for", have,
                                  count(static_cast<std::uint64_t>(*asked), noun)));
    }
  };
  compare(launch.asked_ranks, launch.ranks, "rank");
  compare(launch.asked_nodes, launch.nodes, "node");
  std::vector<std::string> failed;
  for (const auto& result : record.results) {
    if (result.status == model::Status::kFailed) failed.push_back(title(result));
  }
  failed.erase(std::unique(failed.begin(), failed.end()), failed.end());
  if (!failed.empty()) lines.push_back("failed: " + base::join(failed, ", "));
  if (record.ended.empty()) lines.emplace_back("the run did not reach its end");
  if (lines.empty()) lines.emplace_back("a rank or a stage is missing; see the problems");
  return lines;
}

}  // namespace ringwise::report

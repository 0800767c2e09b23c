#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/units.h"
#include "diagnose/rules/rows.h"

namespace ringwise::diagnose {
namespace {

/// Flows of one round that begin or end at a host; more than one share its link.
using Flows = std::map<std::tuple<const model::Result*, int, std::string>, int>;

Flows flows_of(const model::RunRecord& record) {
  Flows flows;
  std::set<std::tuple<const model::Result*, int, std::set<int>>> seen;
  for (const auto& [result, pair, key] : one_way_pairs(record)) {
    // Both directions of a pair are one after the other.
    if (!seen.insert({result, pair->round, {pair->src, pair->dst}}).second) continue;
    for (const int rank : {pair->src, pair->dst}) {
      ++flows[{result, pair->round, host_of(record, rank)}];
    }
  }
  return flows;
}

}  // namespace

model::Finding finding_of(const char* cause, model::Severity severity, std::string title) {
  return {.cause = cause, .severity = severity, .title = std::move(title), .why = {}, .rule = {}};
}

bool is_of_run(const model::Finding& finding, const InputRun& run) {
  return !finding.evidence.empty() && finding.evidence.front().file == run.source;
}

std::vector<PairPlace> one_way_pairs(const model::RunRecord& record) {
  std::vector<PairPlace> places;
  for (std::size_t r = 0; r < record.results.size(); ++r) {
    const auto& result = record.results[r];
    for (std::size_t p = 0; p < result.pairs.size(); ++p) {
      if (result.pairs[p].direction != "one-way") continue;
      places.push_back({.result = &result,
                        .pair = &result.pairs[p],
                        .key = fmt::format("results[{}].pairs[{}]", r, p)});
    }
  }
  return places;
}

std::vector<PairPlace> lone_pairs(const model::RunRecord& record) {
  const auto flows = flows_of(record);
  std::vector<PairPlace> lone;
  for (auto& place : one_way_pairs(record)) {
    const auto& pair = *place.pair;
    if (pair.status != model::Status::kOk || !pair.gbit_per_s) continue;
    const auto is_alone = [&](int rank) {
      return flows.at({place.result, pair.round, host_of(record, rank)}) == 1;
    };
    if (is_alone(pair.src) && is_alone(pair.dst)) lone.push_back(std::move(place));
  }
  return lone;
}

std::string host_of(const model::RunRecord& record, int rank) {
  // As probes write them; only a record of another hand has to be searched.
  const auto at = static_cast<std::size_t>(rank);
  if (rank >= 0 && at < record.ranks.size() && record.ranks[at].rank == rank) {
    return base::printable(record.ranks[at].host);
  }
  for (const auto& one : record.ranks) {
    if (one.rank == rank) return base::printable(one.host);
  }
  return fmt::format("rank {}", rank);
}

const model::Interface* interface_of(const model::Host& host, const std::string& label) {
  for (const auto& part : base::split(label, '|')) {
    const auto name = part.substr(0, part.find(','));
    for (const auto& interface : host.interfaces) {
      if (interface.name == name) return &interface;
    }
  }
  return nullptr;
}

std::string rank_text(const std::optional<int>& rank, const std::optional<std::string>& host) {
  const auto number = rank ? fmt::format("rank {}", *rank) : std::string("a rank");
  return host ? fmt::format("{} ({})", number, base::printable(*host)) : number;
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 4;
  std::vector<std::string> shown(
      names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kShown)));
  auto text = base::join(shown, ", ");
  if (names.size() > kShown) text += fmt::format(" and {} more", names.size() - kShown);
  return text;
}

}  // namespace ringwise::diagnose

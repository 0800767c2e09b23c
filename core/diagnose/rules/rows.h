// The rules, one file each, and what they share. Private to core/diagnose.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnose/diagnose.h"

namespace ringwise::diagnose {

void find_mtu_holes(const InputRun& run, model::Diagnosis& diagnosis);
void find_lowered_routes(const InputRun& run, model::Diagnosis& diagnosis);
void find_offloads_off(const InputRun& run, model::Diagnosis& diagnosis);
void find_packet_loss(const InputRun& run, model::Diagnosis& diagnosis);
void find_flow_limits(const InputRun& run, model::Diagnosis& diagnosis);
void find_other_paths(const InputRun& run, model::Diagnosis& diagnosis);
void find_unused_networks(const InputRun& run, model::Diagnosis& diagnosis);
void find_wrong_data(const InputRun& run, model::Diagnosis& diagnosis);
void find_wrong_labels(const InputRun& run, model::Diagnosis& diagnosis);
void find_dead_paths(const InputRun& run, model::Diagnosis& diagnosis);
void find_lost_ranks(const InputRun& run, model::Diagnosis& diagnosis);
/// Names nothing, but says where pairs are slow that no finding explains: it comes last.
void find_unexplained_slowness(const InputRun& run, model::Diagnosis& diagnosis);

/// A finding whose evidence, settings, reason and confidence its rule adds; diagnose() names the
/// rule.
[[nodiscard]] model::Finding finding_of(const char* cause, model::Severity severity,
                                        std::string title);

/// True for what was found in this run, and not in another of the same diagnosis.
[[nodiscard]] bool is_of_run(const model::Finding& finding, const InputRun& run);

/// One pair of a tcp-pairs result, with its place in the record.
struct PairPlace {
  const model::Result* result = nullptr;
  const model::PairResult* pair = nullptr;
  std::string key;  ///< "results[2].pairs[4]"
};

/// Pairs of all tcp-pairs results in which only the source sends.
[[nodiscard]] std::vector<PairPlace> one_way_pairs(const model::RunRecord& record);

/// Those that worked and had the links of both hosts to themselves in their round. Pairs inside a
/// host are not among them.
[[nodiscard]] std::vector<PairPlace> lone_pairs(const model::RunRecord& record);

/// Host of a rank, made printable; "rank 3" when the record does not say.
[[nodiscard]] std::string host_of(const model::RunRecord& record, int rank);

/// "rank 3 (node2)", of a problem's place; "a rank" where the record does not say which.
[[nodiscard]] std::string rank_text(const std::optional<int>& rank,
                                    const std::optional<std::string>& host);

/// The interface of a host by name, or null.
[[nodiscard]] const model::Interface* interface_of(const model::Host& host,
                                                   const std::string& label);

/// Names joined: "node1, node2 and 3 more".
[[nodiscard]] std::string listed(const std::vector<std::string>& names);

}  // namespace ringwise::diagnose

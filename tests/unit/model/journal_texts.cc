#include "journal_texts.h"

namespace ringwise::model::test {

std::string begin_line(int rank, int ranks) {
  JournalBegin begin;
  begin.started = "2026-01-31T12:00:00Z";
  begin.launch.ranks = ranks;
  begin.launch.launcher = "openmpi";
  begin.rank.rank = rank;
  begin.rank.host = "node" + std::to_string(rank);
  begin.host.host = begin.rank.host;
  begin.plan = {"system", "tcp-allreduce"};
  return to_json_line(begin) + "\n";
}

std::string stage_line(const std::string& stage, const std::string& probe) {
  JournalStage line{stage, Status::kOk, std::nullopt, {}};
  line.report.results.emplace_back().probe = probe;
  return to_json_line(line) + "\n";
}

Journal journal_of(int rank, int ranks, const std::string& rest) {
  return read_journal(begin_line(rank, ranks) + rest);
}

}  // namespace ringwise::model::test

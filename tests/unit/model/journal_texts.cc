#include "journal_texts.h"

#include "full_record.h"

namespace ringwise::model::test {

std::string begin_line(int rank, int ranks) {
  JournalBegin begin;
  begin.started = "2026-01-31T12:00:00Z";
  begin.launch.ranks = ranks;
  begin.launch.launcher = "openmpi";
  begin.rank.rank = rank;
  begin.rank.host = "node" + std::to_string(rank);
  begin.host.host = begin.rank.host;
  begin.run = "9f86d081884c7d65";
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

std::string full_journal() {
  const RunRecord full = full_record();
  const JournalBegin begin{full.schema_version, full.tool,   "9f86d081884c7d65",
                           full.started,        full.launch, full.ranks.at(0),
                           full_host(),         full.mode,   {"tcp-allreduce"}};
  const JournalStage stage{"tcp-allreduce",
                           Status::kFailed,
                           "rank 1 stopped",
                           {full.results, full.counters, full.problems}};
  std::string text;
  for (const std::string& line :
       {to_json_line(begin), to_json_line(JournalStageBegin{"tcp-allreduce", full.started}),
        to_json_line(JournalStep{"tcp-allreduce", "block 2, 4 MiB"}), to_json_line(stage),
        to_json_line(JournalProblem{full.problems.at(0)}),
        to_json_line(JournalSignal{15, full.ended}), to_json_line(JournalEnd{full.ended})}) {
    text.append(line).append("\n");
  }
  return text;
}

}  // namespace ringwise::model::test

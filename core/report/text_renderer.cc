#include "report/text_renderer.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/units.h"
#include "report/format.h"
#include "report/groups.h"
#include "report/pairs.h"
#include "report/table.h"

namespace ringwise::report {
namespace {

using model::Result;
using model::RunRecord;
using model::Status;

/// Ranks up to which pairs are shown as a matrix that fits 80 columns.
constexpr std::size_t kMatrixRanks = 8;

constexpr const char* kLegend =
    "\nTimes: medians over blocks of the slowest rank; p99 over all operations. algbw,\n"
    "busbw and its interval in GB/s (10^9 bytes), busbw as nccl-tests defines it.\n";

class Paint {
 public:
  explicit Paint(bool is_on) : is_on_(is_on) {}
  [[nodiscard]] std::string heading(const std::string& text) const { return with("1", text); }
  [[nodiscard]] std::string alarm(const std::string& text) const { return with("1;31", text); }

 private:
  [[nodiscard]] std::string with(const char* code, const std::string& text) const {
    return is_on_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
  }
  bool is_on_;
};

std::string versions(const RunRecord& record) {
  std::string text =
      fmt::format("{} {}", base::printable(record.tool.name), base::printable(record.tool.version));
  if (!record.tool.features.empty()) {
    text += fmt::format(" ({})", base::printable(base::join(record.tool.features, " ")));
  }
  std::set<std::string> nccl;
  for (const auto& host : record.hosts) {
    nccl.insert(host.nccl.found ? base::printable(host.nccl.version.value_or("of unknown version"))
                                : "not found");
  }
  const std::vector<std::string> names(nccl.begin(), nccl.end());
  if (!names.empty()) text += "; NCCL " + base::join(names, ", ");
  return text;
}

std::string header(const NamedRecord& named, const Paint& paint) {
  const auto& record = named.record;
  std::string text = paint.heading("ringwise run " + base::printable(named.name)) + "\n";
  text += fact("when", fmt::format("{} to {}", base::printable(record.started),
                                   record.ended.empty() ? "?" : base::printable(record.ended)));
  text += fact("state", record.complete ? "complete" : "NOT COMPLETE");
  for (const auto& line : missing(record)) text += fact("missing", line);
  text += fact("world",
               world(record.launch) + ", started by " + base::printable(record.launch.launcher));
  text += fact("mode", mode(record.mode));
  for (const auto& evidence : record.mode.evidence) text += fact("", base::printable(evidence));
  std::vector<std::string> hosts;
  hosts.reserve(record.hosts.size());
  for (const auto& host : record.hosts) hosts.push_back(base::printable(host.host));
  constexpr std::size_t kShown = 12;
  const auto all = hosts.size();
  if (all > kShown) {
    hosts.resize(kShown);
    hosts.push_back(fmt::format("and {} more", all - kShown));
  }
  if (!hosts.empty()) text += fact("hosts", base::join(hosts, ", "));
  text += fact("versions", versions(record));
  return text;
}

std::string problems(const RunRecord& record, const Paint& paint) {
  std::vector<std::string> lines;
  for (const auto& problem : record.problems) {
    const auto where = place(problem);
    lines.push_back(fmt::format("{}{}{}: {}", base::printable(problem.stage),
                                where.empty() ? "" : ", ", where, base::printable(problem.text)));
  }
  for (const auto& result : record.results) {
    const auto found = trouble(result);
    if (found) lines.push_back(fmt::format("{}: {}", titled(result), *found));
  }
  if (lines.empty()) return "\nNo problems.\n";
  std::string text = "\n" + paint.alarm(fmt::format("Problems ({})", lines.size())) + "\n";
  for (const auto& line : lines) text += "  - " + wrapped(line, 4, 4) + "\n";
  return text;
}

std::string sizes_table(const Result& result) {
  const std::vector<Column> columns{
      {"size"},   {"p50"}, {"p99"}, {"algbw"}, {"busbw"}, {"95 % interval"}, {"data", Align::kLeft},
      {"ops/blk"}};
  std::vector<std::vector<std::string>> rows;
  std::string notes;
  for (const auto& size : result.sizes) {
    if (size.time_us_p50) {
      rows.push_back({base::format_bytes(size.bytes), microseconds(size.time_us_p50),
                      microseconds(size.time_us_p99), number(size.algbw_gbyte_per_s),
                      number(size.busbw_gbyte_per_s), interval(size.low, size.high),
                      verification(size), fmt::format("{}/{}", size.samples, size.blocks)});
    }
    if (size.reason) {
      notes +=
          "    " +
          wrapped(base::format_bytes(size.bytes) + (size.time_us_p50 ? ": " : ": not measured: ") +
                      base::printable(*size.reason),
                  4, 6) +
          "\n";
    }
  }
  return (rows.empty() ? std::string() : text_table(columns, rows, 2)) + notes;
}

/// Sets of a trial have long names: a letter stands for each in the table.
std::string letter(const Group& group, const Result& result) {
  const auto place = std::find(group.results.begin(), group.results.end(), &result);
  const auto number = static_cast<std::size_t>(place - group.results.begin());
  return number < 26 ? std::string(1, static_cast<char>('a' + number)) : fmt::format("{}", number);
}

std::string sets_of(const Group& group) {
  std::string text;
  for (const auto* result : group.results) {
    std::string settings = difference(group, *result);
    for (const auto& [name, value] : result->settings) {
      settings += " " + base::printable(name) + "=" + base::printable(value);
    }
    text += fact(letter(group, *result), settings, 4, 2);
  }
  return text;
}

std::string comparison(const Group& group) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : compare(group)) {
    rows.push_back({group.is_trial ? letter(group, *row.result) : difference(group, *row.result),
                    base::format_bytes(row.size->bytes), microseconds(row.size->time_us_p50),
                    number(row.size->busbw_gbyte_per_s),
                    row.result == &group.first() ? "1" : number(row.factor),
                    interval(row.low, row.high), verification(*row.size)});
  }
  if (rows.empty()) return {};
  const std::vector<Column> columns{{group.is_trial ? "set" : "configuration", Align::kLeft},
                                    {"size"},
                                    {"p50"},
                                    {"busbw"},
                                    {"x first"},
                                    {"95 % interval"},
                                    {"data", Align::kLeft}};
  return fmt::format("  compared with the first (x first > 1: faster; paired by block)\n{}{}",
                     group.is_trial ? sets_of(group) : "", text_table(columns, rows, 2));
}

std::string matrix_text(const PairMatrix& matrix) {
  std::string text = "  " + matrix.title + "\n";
  if (matrix.ranks.size() <= kMatrixRanks) {
    std::vector<Column> columns{{"from \\ to", Align::kLeft}};
    std::vector<std::vector<std::string>> rows;
    for (const int rank : matrix.ranks) columns.push_back({fmt::format("{}", rank)});
    for (std::size_t i = 0; i < matrix.ranks.size(); ++i) {
      rows.push_back({fmt::format("{}", matrix.ranks[i])});
      for (const auto& cell : matrix.cells[i]) rows.back().push_back(number(cell));
    }
    text += text_table(columns, rows, 4);
  }
  if (const auto found = extremes(matrix)) {
    text += fmt::format("    {}: lowest {} ({} -> {}), median {}, highest {} ({} -> {})\n",
                        count(found->count, "pair"), number(found->lowest), found->lowest_src,
                        found->lowest_dst, number(found->median), number(found->highest),
                        found->highest_src, found->highest_dst);
  }
  return text;
}

std::string paths_text(const Result& result, bool is_detailed) {
  const auto table = path_table(result, is_detailed);
  std::string text;
  if (!table.rows.empty()) {
    std::vector<Column> columns;
    for (auto& title : path_titles()) columns.push_back({std::move(title)});
    text += std::string("  packet sizes, bytes") +
            (is_detailed ? "" : "; pairs that lose large ones or differ from most") + "\n";
    text += text_table(columns, table.rows, 4);
  }
  if (table.left_out > 0) {
    text += fmt::format("    and {} more; --details shows all\n", count(table.left_out, "pair"));
  }
  for (const auto& line : table.notes) text += "  - " + wrapped(line, 4, 4) + "\n";
  return text;
}

std::string pairs_text(const Result& result, bool is_detailed) {
  std::string text;
  for (const auto& matrix : pair_matrices(result)) text += matrix_text(matrix);
  if (const auto path = path_summary(result); !path.empty())
    text += "  " + wrapped(path, 2, 4) + "\n";
  text += paths_text(result, is_detailed);
  for (const auto& line : unmeasured_pairs(result)) text += "  - " + wrapped(line, 4, 4) + "\n";
  return text;
}

std::string result_text(const Result& result, bool is_detailed, const Paint& paint) {
  std::string text = "\n" + paint.heading(title(result)) + ": ";
  if (result.status != Status::kOk) {
    const std::string why = result.reason ? ": " + base::printable(*result.reason) : "";
    text += wrapped(model::to_text(result.status) + why, title(result).size() + 2, 2) + "\n";
    if (result.status == Status::kSkipped) return text;
  } else {
    text += fmt::format("ok, {} on {}\n", count(static_cast<std::uint64_t>(result.ranks), "rank"),
                        count(static_cast<std::uint64_t>(result.nodes), "node"));
  }
  if (const auto with = configuration(result); !with.empty()) text += fact("with", with);
  text += fact("path", path_proof(result));
  if (const auto seen = disturbances(result); !seen.empty()) text += fact("quiet?", seen);
  if (!result.sizes.empty()) text += sizes_table(result);
  return text + pairs_text(result, is_detailed);
}

std::string group_text(const Group& group, const RenderOptions& options, const Paint& paint) {
  std::string text;
  for (const auto* result : group.results) {
    const bool is_shown = group.results.size() == 1 || options.is_detailed ||
                          result == &group.first() || !result->pairs.empty();
    if (is_shown) text += result_text(*result, options.is_detailed, paint);
  }
  return group.results.size() > 1 ? text + comparison(group) : text;
}

}  // namespace

std::string render_text(std::span<const NamedRecord> records, const RenderOptions& options) {
  const Paint paint(options.has_colour);
  std::string text;
  for (const auto& named : records) {
    if (!text.empty()) text += "\n";
    text += header(named, paint);
    text += problems(named.record, paint);
    for (const auto& group : groups(named.record)) text += group_text(group, options, paint);
    if (!named.record.results.empty()) text += kLegend;
  }
  return text;
}

}  // namespace ringwise::report

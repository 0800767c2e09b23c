#include "report/md_renderer.h"

#include <vector>

#include <fmt/format.h>

#include "base/units.h"
#include "report/format.h"
#include "report/groups.h"
#include "report/markdown.h"
#include "report/pairs.h"

namespace ringwise::report {
namespace {

using Cells = std::vector<std::string>;

std::string header(const NamedRecord& named) {
  const auto& record = named.record;
  std::string text = fmt::format("# ringwise run {}\n\n", escaped(named.name));
  text += fmt::format("- when: {} to {}\n", escaped(record.started),
                      record.ended.empty() ? "?" : escaped(record.ended));
  text += fmt::format("- state: {}\n", record.complete ? "complete" : "**not complete**");
  for (const auto& line : missing(record)) text += fmt::format("  - {}\n", escaped(line));
  text += fmt::format("- world: {}, started by {}\n", escaped(world(record.launch)),
                      escaped(record.launch.launcher));
  text += fmt::format("- mode: {}\n", escaped(mode(record.mode)));
  Cells hosts;
  hosts.reserve(record.hosts.size());
  for (const auto& host : record.hosts) hosts.push_back(escaped(host.host));
  if (!hosts.empty()) text += fmt::format("- hosts: {}\n", base::join(hosts, ", "));
  return text +
         fmt::format("- tool: {} {}\n\n", escaped(record.tool.name), escaped(record.tool.version));
}

std::string problems(const model::RunRecord& record) {
  std::string text;
  for (const auto& problem : record.problems) {
    const auto where = place(problem);
    text += fmt::format("- {}{}{}: {}\n", escaped(problem.stage), where.empty() ? "" : ", ",
                        escaped(where), escaped(problem.text));
  }
  for (const auto& result : record.results) {
    if (const auto found = trouble(result)) {
      text += fmt::format("- {}: {}\n", escaped(titled(result)), escaped(*found));
    }
  }
  return text.empty() ? "No problems.\n\n" : "## Problems\n\n" + text + "\n";
}

std::string sizes(const model::Result& result) {
  std::vector<Cells> rows;
  rows.reserve(result.sizes.size());
  for (const auto& size : result.sizes) {
    rows.push_back({base::format_bytes(size.bytes), microseconds(size.time_us_p50),
                    microseconds(size.time_us_p99), number(size.algbw_gbyte_per_s),
                    number(size.busbw_gbyte_per_s), escaped(interval(size.low, size.high)),
                    verification(size),
                    size.samples == 0 ? "-" : fmt::format("{}/{}", size.samples, size.blocks)});
  }
  if (rows.empty()) return {};
  std::string notes;
  for (const auto& size : result.sizes) {
    if (size.reason) {
      notes += fmt::format("- {}: {}\n", base::format_bytes(size.bytes), escaped(*size.reason));
    }
  }
  return markdown_table({"size", "p50", "p99", "algbw GB/s", "busbw GB/s", "95 % interval", "data",
                         "ops/blocks"},
                        rows) +
         notes;
}

std::string pairs(const model::Result& result, bool is_detailed) {
  std::string text;
  for (const auto& matrix : pair_matrices(result)) {
    Cells titles{"from / to"};
    std::vector<Cells> rows;
    for (const int rank : matrix.ranks) titles.push_back(fmt::format("{}", rank));
    for (std::size_t i = 0; i < matrix.ranks.size(); ++i) {
      rows.push_back({fmt::format("{}", matrix.ranks[i])});
      for (const auto& cell : matrix.cells[i]) rows.back().push_back(number(cell));
    }
    text += escaped(matrix.title) + ":\n\n" + markdown_table(titles, rows);
  }
  if (const auto path = path_summary(result); !path.empty()) text += escaped(path) + "\n\n";
  const auto paths = path_table(result, is_detailed);
  if (!paths.rows.empty()) {
    text += "packet sizes, bytes:\n\n" + markdown_table(path_titles(), paths.rows);
    if (paths.left_out > 0) {
      text += fmt::format("and {} more\n\n", count(paths.left_out, "pair"));
    }
  }
  for (const auto& line : paths.notes) text += "- " + escaped(line) + "\n";
  for (const auto& line : unmeasured_pairs(result)) text += "- " + escaped(line) + "\n";
  return text;
}

std::string result_text(const model::Result& result, bool is_detailed) {
  std::string text =
      fmt::format("## {}: {}\n\n", escaped(title(result)), model::to_text(result.status));
  if (result.reason) text += escaped(*result.reason) + "\n\n";
  if (result.status == model::Status::kSkipped) return text;
  if (const auto with = configuration(result); !with.empty()) {
    text += fmt::format("- with: {}\n", escaped(with));
  }
  text += fmt::format("- path: {}\n", escaped(path_proof(result)));
  if (const auto seen = disturbances(result); !seen.empty()) {
    text += fmt::format("- quiet?: {}\n", escaped(seen));
  }
  return text + "\n" + sizes(result) + pairs(result, is_detailed);
}

std::string comparison(const Group& group) {
  std::vector<Cells> rows;
  for (const auto& row : compare(group)) {
    rows.push_back({escaped(difference(group, *row.result)), base::format_bytes(row.size->bytes),
                    microseconds(row.size->time_us_p50), number(row.size->busbw_gbyte_per_s),
                    row.result == &group.first() ? "1" : number(row.factor),
                    escaped(interval(row.low, row.high))});
  }
  if (rows.empty()) return {};
  return fmt::format("### {} compared with the first (above 1: faster)\n\n",
                     escaped(group.first().probe + " " + group.first().variant.value_or(""))) +
         markdown_table({group.is_trial ? "settings" : "configuration", "size", "p50", "busbw GB/s",
                         "x first", "95 % interval"},
                        rows);
}

}  // namespace

std::string render_md(std::span<const NamedRecord> records, const RenderOptions& options) {
  std::string text;
  for (const auto& named : records) {
    text += header(named) + problems(named.record);
    for (const auto& group : groups(named.record)) {
      for (const auto* result : group.results) {
        const bool is_shown = group.results.size() == 1 || options.is_detailed ||
                              result == &group.first() || !result->pairs.empty();
        if (is_shown) text += result_text(*result, options.is_detailed);
      }
      if (group.results.size() > 1) text += comparison(group);
    }
  }
  return text;
}

}  // namespace ringwise::report

// Numbers and names of a run record as people read them. Absent values are "-", never 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/record.h"

namespace ringwise::report {

/// Background traffic above this share of the link makes a result inconclusive (design: 2 %).
inline constexpr double kBackgroundLimit = 0.02;

/// Four significant digits: "0.1178", "12.35", "1235"; "-" when absent.
[[nodiscard]] std::string number(const std::optional<double>& value);
/// "0.1177-0.1178"; "-" when either end is absent.
[[nodiscard]] std::string interval(const std::optional<double>& low,
                                   const std::optional<double>& high);
/// base::format_us, "-" when absent.
[[nodiscard]] std::string microseconds(const std::optional<double>& value);
/// "verified", "3 WRONG", "not verified".
[[nodiscard]] std::string verification(const model::SizeResult& size);
/// Bytes a second as "1.25 MB/s".
[[nodiscard]] std::string byte_rate(double bytes_per_s);

/// "tcp-allreduce wire", with the trial's set behind it: "tcp-allreduce wire [nccl.env]".
[[nodiscard]] std::string title(const model::Result& result);
/// "eth0, 2 channels x 4 threads x 2 sockets, inet": what distinguishes results of one probe.
[[nodiscard]] std::string configuration(const model::Result& result);
/// title with the configuration in brackets, where there is one.
[[nodiscard]] std::string titled(const model::Result& result);
/// "proved: eth0 grew by 1.03 of the payload".
[[nodiscard]] std::string path_proof(const model::Result& result);
/// "rank 1 on node2, eth0, to rank 0 on node1, at block 2": where a problem was seen.
[[nodiscard]] std::string place(const model::Problem& problem);
/// Background traffic, throttling and stray connections, as far as they were looked at.
[[nodiscard]] std::string disturbances(const model::Result& result);
/// "3 ranks on 3 nodes (1 a node)".
[[nodiscard]] std::string world(const model::Launch& launch);
/// Label and detected mode in one phrase.
[[nodiscard]] std::string mode(const model::Mode& mode);
/// Plural s: "1 rank", "3 ranks".
[[nodiscard]] std::string count(std::uint64_t number, const std::string& noun);

/// What makes a result unfit to be trusted as it stands: failed, contradicted, wrong data, ...
/// Empty when nothing does. In words, one line.
[[nodiscard]] std::optional<std::string> trouble(const model::Result& result);

/// What makes a record incomplete, one line each: missing ranks and nodes, stages that are marked.
[[nodiscard]] std::vector<std::string> missing(const model::RunRecord& record);

}  // namespace ringwise::report

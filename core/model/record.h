// The run record: what a run of ringwise-probe measured. Its JSON is docs/formats.md.
// GB = 10^9 bytes. Absent means "not measured", never 0.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/host.h"

namespace ringwise::model {

inline constexpr const char* kSchemaVersion = "1.0";

enum class Status { kOk, kSkipped, kFailed };
enum class ProofState { kProved, kContradicted, kUnavailable };

struct Tool {
  std::string name = "ringwise";
  std::string version;
  std::vector<std::string> features;
};

struct Launch {
  std::optional<int> asked_ranks;  ///< --expect-ranks or the launcher's environment
  std::optional<int> asked_nodes;
  int ranks = 0;
  int nodes = 0;                    ///< distinct hosts
  std::vector<int> ranks_per_node;  ///< in the order of `hosts`
  std::string launcher;             ///< "openmpi", "mpich", "slurm", "none"
};

struct Mode {
  std::optional<std::string> label;     ///< --mode
  std::optional<std::string> detected;  ///< absent when the evidence does not decide
  std::vector<std::string> evidence;
};

/// Where one rank ran and what it would use.
struct Rank {
  int rank = 0;
  std::string host;
  int local_rank = 0;
  std::vector<std::string> interfaces;             ///< data interfaces chosen, in order
  std::optional<std::string> bootstrap_interface;  ///< what NCCL would bootstrap over
  std::optional<std::string> selection;            ///< the rule that chose them, in words
};

struct SizeResult {
  std::uint64_t bytes = 0;  ///< payload of one operation on one rank
  bool verified = false;
  std::optional<std::uint64_t> wrong;    ///< elements; means something only when verified
  std::uint64_t samples = 0;             ///< timed operations, all blocks together
  std::uint64_t blocks = 0;              ///< blocks that gave a median
  std::vector<double> block_medians_us;  ///< by block; slowest rank's median time of an operation
  std::optional<double> time_us_p50;     ///< median of the block medians
  std::optional<double> time_us_p99;     ///< slowest rank's 99th percentile, all blocks
  std::optional<double> algbw_gbyte_per_s;
  std::optional<double> busbw_gbyte_per_s;
  std::optional<double> low;  ///< interval of busbw, over block medians; absent below 6 blocks
  std::optional<double> high;
  std::optional<std::string> reason;  ///< why it was not measured, when samples is 0
};

/// IP packet sizes in bytes on the way from one rank to another.
struct PathMtu {
  std::optional<int> device_mtu;  ///< of the sender's interface
  std::optional<int> route_mtu;   ///< what the sender's kernel takes for the path, before probing
  /// Largest packet with DF that was seen to arrive. Below route_mtu it is exact.
  std::optional<int> forward_mtu;
  std::optional<std::string> reason;  ///< why forward_mtu is absent
};

struct PairResult {
  int src = 0;              ///< sending rank
  int dst = 0;              ///< receiving rank
  std::string direction;    ///< "one-way" (only src sends) or "both" (both send at once)
  std::uint64_t bytes = 0;  ///< message size of the bandwidth part
  int round = 0;
  int block = 0;  ///< last block that measured it
  std::optional<std::string> device;
  std::optional<double> gbit_per_s;  ///< src to dst, payload; median over blocks
  std::optional<double> low;
  std::optional<double> high;
  std::optional<double> latency_us_p50;  ///< half a round trip of an 8-byte message
  std::optional<double> latency_us_p99;
  std::optional<std::uint64_t> payload_bytes;     ///< src to dst, in the blocks of this row
  std::optional<std::uint64_t> retransmits;       ///< segments meanwhile, TCP_INFO of the sender
  std::optional<int> path_mtu;                    ///< bytes, TCP_INFO of the sender
  std::optional<PathMtu> path;                    ///< one-way rows only, like the rest below
  std::optional<std::string> congestion_control;  ///< of the sender's measured socket
  /// CPU time of the workers for 10^9 bytes of payload, median over blocks, seconds.
  std::optional<double> cpu_s_per_gbyte_src;
  std::optional<double> cpu_s_per_gbyte_dst;
  Status status = Status::kOk;
  std::optional<std::string> reason;
};

struct PathProof {
  ProofState state = ProofState::kUnavailable;
  std::string reason;
  std::optional<std::string> carried_by = std::nullopt;  ///< interface that the bytes took instead
};

struct Result {
  std::string probe;
  std::optional<std::string> variant;  ///< "reduce" or "wire"
  Status status = Status::kOk;
  std::optional<std::string> reason;    ///< why skipped or failed
  std::string provenance = "measured";  ///< "measured", "simulated" or "fake"
  std::optional<std::string> mode;
  std::optional<std::string> interface;  ///< comma list when several are used together
  std::optional<std::string> transport;  ///< "tcp", "shm", "mpi", "memory"
  std::optional<std::string> device;
  std::optional<int> gid_index;
  std::optional<int> rail;
  std::string memory = "host";
  std::optional<std::string> collective;  ///< "allreduce"
  std::optional<std::string> dtype;       ///< "float32"
  std::optional<std::string> op;          ///< "sum"
  std::optional<std::string> direction;
  std::optional<std::string> family;  ///< "inet" or "inet6"
  int ranks = 0;
  int nodes = 0;
  std::optional<int> channels;
  std::optional<int> sockets;  ///< per helper thread; 0 = data on the control socket
  std::optional<int> threads;
  std::optional<int> qps;
  std::optional<std::string> settings_name;     ///< "default" or the file's name, in a trial
  std::map<std::string, std::string> settings;  ///< what the trial set; empty = default
  PathProof path_proof;
  std::optional<double> background_bytes_per_s;    ///< busiest rank, second before the stage
  std::optional<double> background_share;          ///< of the link rate, where that is known
  std::optional<std::uint64_t> cpu_throttled_us;   ///< all ranks together, during the stage
  std::optional<double> cpu_seconds;               ///< workers' user + system time, all ranks
  std::optional<std::uint64_t> stray_connections;  ///< dropped: no or wrong token
  std::optional<std::uint64_t> seed;               ///< of the random order of blocks
  std::vector<SizeResult> sizes;
  std::vector<PairResult> pairs;
};

/// Byte and error counters of one interface or device; keys are rtnetlink's names.
using CounterValues = std::map<std::string, std::uint64_t>;

struct Counter {
  std::string host;
  std::string probe;
  int rank = 0;
  std::optional<std::string> interface;
  std::optional<std::string> device;
  CounterValues before;
  CounterValues after;
  std::optional<std::uint64_t> expected_bytes;  ///< payload this rank sent over it
};

struct Problem {
  std::string stage;
  std::optional<int> rank;
  std::optional<std::string> host;
  std::optional<std::string> interface;
  std::optional<int> peer;
  std::optional<std::string> peer_host;
  std::optional<std::string> step;
  std::optional<std::string> sign;  ///< what was seen; the words are those of base/error.h
  std::string text;
};

struct RunRecord {
  std::string schema_version = kSchemaVersion;
  Tool tool;
  std::string started;  ///< UTC, "2026-01-31T12:00:00Z"
  std::string ended;
  bool complete = false;  ///< false when a rank or stage is missing
  Launch launch;
  Mode mode;
  std::vector<Host> hosts;  ///< sorted by first rank
  std::vector<Rank> ranks;
  std::vector<Result> results;
  std::vector<Counter> counters;
  std::vector<Problem> problems;
};

/// What one rank's worker reports of one stage. Every rank gives the same results in the same
/// order, so that they can be merged one by one (see probe/merge.h).
struct StageReport {
  std::vector<Result> results;
  std::vector<Counter> counters;
  std::vector<Problem> problems;
};

[[nodiscard]] const char* to_text(Status status);
[[nodiscard]] const char* to_text(ProofState state);

/// Largest IP packet there is, bytes: the length field has 16 bits. A loopback's MTU can be larger.
inline constexpr int kLargestIpPacket = 65535;

/// Packets of the size that the sender's kernel takes for right are known not to arrive: small
/// messages pass and large ones stall, unless a router says so (ICMP) and the kernel learns.
[[nodiscard]] bool is_too_narrow(const PathMtu& path);

/// A run that has a failed result, a problem or is not complete.
[[nodiscard]] bool has_failures(const RunRecord& record);

}  // namespace ringwise::model

#include "probe/registry.h"

#include <algorithm>
#include <array>

#include "probe/memory_copy.h"
#include "probe/shm_allreduce.h"
#include "probe/system_probe.h"
#include "probe/tcp_allreduce.h"
#include "probe/tcp_pairs.h"

namespace ringwise::probe {

std::span<const Probe> probes() {
  static constexpr std::array kRows{
      Probe{"system", "facts of every host: interfaces, RDMA, CPUs, limits, NCCL", true, 0.1, false,
            run_system},
      Probe{"tcp-allreduce",
            "ring all-reduce of host memory over TCP sockets, split as NCCL splits them", true, 5,
            false, run_tcp_allreduce},
      Probe{"tcp-pairs", "every pair of hosts over TCP: bandwidth both ways, latency, path MTU",
            true, 3, true, run_tcp_pairs},
      Probe{"shm-allreduce", "ring all-reduce between the ranks of one host in shared memory", true,
            1, false, run_shm_allreduce},
      Probe{"memory-copy", "copying host memory on every rank at once", true, 0.5, false,
            run_memory_copy},
  };
  return kRows;
}

const Probe* find_probe(std::string_view name) {
  const auto rows = probes();
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const Probe& probe) { return probe.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace ringwise::probe

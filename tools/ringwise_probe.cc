// ringwise-probe: measures; started by mpirun with one or more ranks a node.
#include <string>
#include <vector>

#include "app/guarded_main.h"
#include "app/probe/options.h"
#include "app/probe/supervisor.h"
#include "app/probe/worker.h"

int main(int argc, char** argv) {
  return ringwise::app::guarded_main(argc, argv, [&] {
    const std::vector<std::string> args(argv + 1, argv + argc);
    const auto parsed = ringwise::app::parse_probe_options(args);
    if (parsed.text) {
      ringwise::app::write_data(*parsed.text);
      return 0;
    }
    if (parsed.options.worker_fd) return ringwise::app::run_worker(*parsed.options.worker_fd);
    return ringwise::app::run_probe(&argc, &argv, parsed.options);
  });
}

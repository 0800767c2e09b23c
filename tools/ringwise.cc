// ringwise: reads run records and hosts, and judges and advises.
#include <string>
#include <vector>

#include "app/commands/command.h"
#include "app/guarded_main.h"

int main(int argc, char** argv) {
  return ringwise::app::guarded_main(argc, argv, [&] {
    const std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
    const auto outcome = ringwise::app::run_ringwise(args);
    ringwise::app::write_data(outcome.out);
    return static_cast<int>(outcome.code);
  });
}

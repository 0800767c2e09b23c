#include <cstdlib>

#include "base/error.h"
#include "comm/control_plane.h"

namespace ringwise::comm {
namespace {

class Alone final : public ControlPlane {
 public:
  [[nodiscard]] int rank() const override { return 0; }
  [[nodiscard]] int size() const override { return 1; }
  [[nodiscard]] std::string description() const override { return "none"; }
  std::vector<std::optional<std::string>> gather(const std::string& mine,
                                                 base::Deadline /*deadline*/) override {
    return {mine};
  }
  std::string broadcast(const std::string& text, base::Deadline /*deadline*/) override {
    return text;
  }
  AllreduceTimes time_allreduce(const AllreduceRun& /*run*/) override {
    throw Error(ErrorKind::kUnavailable, "one process without a launcher has no MPI world");
  }
  [[noreturn]] void abort(int exit_code) override { std::_Exit(exit_code); }
  bool leave(base::Deadline /*deadline*/) override { return true; }
};

}  // namespace

std::unique_ptr<ControlPlane> alone() {
  return std::make_unique<Alone>();
}

}  // namespace ringwise::comm

#include "base/error.h"
#include "comm/control_plane.h"

namespace ringwise::comm {

std::unique_ptr<ControlPlane> join_control_plane(int* /*argc*/, char*** /*argv*/,
                                                 JoinOptions /*options*/) {
  if (detect_launcher() != "none") {
    throw Error(ErrorKind::kUnavailable,
                "started by a launcher, but this ringwise-probe is built without MPI "
                "(-DRINGWISE_MPI=ON)");
  }
  return alone();
}

}  // namespace ringwise::comm

#include "app/probe/worker.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <cmath>

#include <fmt/format.h>

#include "base/deadline.h"
#include "base/error.h"
#include "comm/relay.h"
#include "model/json.h"
#include "probe/registry.h"
#include "probe/run_one.h"
#include "probe/stage_json.h"

namespace ringwise::app {
namespace {

constexpr std::chrono::seconds kHandshake{10};
constexpr double kMercySeconds = 2;

}  // namespace

int run_worker(int fd) {
  // Started as /proc/self/exe, it would be called "exe" in ps and ss.
  ::prctl(PR_SET_NAME, "ringwise-probe");
  comm::FrameChannel channel(fd);
  const auto first = channel.receive(base::Deadline::after(kHandshake));
  if (!first || first->type != comm::FrameType::kSpec) {
    throw Error(ErrorKind::kUsage,
                "--worker-fd is for ringwise-probe itself: start it without options, by mpirun");
  }
  const probe::StageSpec spec = probe::stage_spec_from_json(first->body);
  const probe::Probe* row = probe::find_probe(spec.probe);
  if (row == nullptr) {
    throw Error(ErrorKind::kInternal, fmt::format("no probe is called {}", spec.probe));
  }
  // The supervisor kills at the time-out; should it be gone or stopped, SIGALRM's default does.
  ::alarm(static_cast<unsigned>(std::ceil(spec.timeout_s + kMercySeconds)));

  comm::RelayCommunicator relay(channel, spec.rank, spec.ranks);
  const auto deadline = base::Deadline::after(base::from_seconds(spec.timeout_s));
  probe::StageContext context{
      .spec = spec,
      .comm = relay,
      .deadline = deadline,
      .step = [&](std::string_view text) { channel.send(comm::FrameType::kStep, text, deadline); },
      .progress =
          [&](double share, std::string_view text) {
            channel.send(comm::FrameType::kProgress, fmt::format("{:.3f} {}", share, text),
                         deadline);
          }};
  const model::StageReport report = probe::run_one(*row, context);
  channel.send(comm::FrameType::kReport, model::to_json_line(report),
               base::Deadline::after(kHandshake));
  return 0;
}

}  // namespace ringwise::app

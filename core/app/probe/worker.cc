#include "app/probe/worker.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
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
/// A worker gives up so long before the supervisor kills it, to say for whom it waited: this share
/// of the stage's time-out, within bounds.
constexpr double kLastWordsShare = 0.1;
constexpr double kLeastLastWordsSeconds = 0.2;
constexpr double kMostLastWordsSeconds = 2;

double patience_s(double timeout_s) {
  return timeout_s - std::clamp(kLastWordsShare * timeout_s, kLeastLastWordsSeconds,
                                std::min(kMostLastWordsSeconds, timeout_s / 2));
}

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
  const auto killed_by = base::Deadline::after(base::from_seconds(spec.timeout_s));
  const auto deadline = base::Deadline::after(base::from_seconds(patience_s(spec.timeout_s)));
  probe::StageContext context{
      .spec = spec,
      .comm = relay,
      .deadline = deadline,
      .step = [&](std::string_view text) { channel.send(comm::FrameType::kStep, text, killed_by); },
      .progress =
          [&](double share, std::string_view text) {
            channel.send(comm::FrameType::kProgress, fmt::format("{:.3f} {}", share, text),
                         killed_by);
          }};
  const model::StageReport report = probe::run_one(*row, context);
  channel.send(comm::FrameType::kReport, model::to_json_line(report),
               base::Deadline::after(kHandshake));
  return 0;
}

}  // namespace ringwise::app

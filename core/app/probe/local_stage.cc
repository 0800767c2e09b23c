#include "app/probe/local_stage.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "app/probe/referee.h"
#include "app/probe/signals.h"
#include "app/probe/stage_words.h"
#include "base/error.h"
#include "model/json.h"
#include "probe/stage_json.h"

namespace ringwise::app {
namespace {

constexpr std::chrono::milliseconds kLook{500};
/// Looks in a row that must find the worker stopped. Looks are counted, and not the time: who was
/// stopped together with its worker must not take it for longer than it was.
constexpr int kStoppedLooks = 4;
/// A report that has begun to arrive is read to its end.
constexpr std::chrono::seconds kRestOfFrame{1};
constexpr std::chrono::seconds kReap{1};

}  // namespace

LocalStage::LocalStage(const probe::StageSpec& spec, const StageEvents& events, bool goes_on)
    : spec_(spec),
      events_(events),
      goes_on_(goes_on),
      deadline_(base::Deadline::after(base::from_seconds(spec.timeout_s))),
      worker_(spec.settings) {
  // A worker that does not take it has died: its closed socket says so in the first round.
  [[maybe_unused]] const bool is_sent =
      worker_.channel().try_send(comm::FrameType::kSpec, probe::to_json_line(spec), deadline_);
}

std::string LocalStage::contribution() {
  if (is_delivered_) return {kSaysDelivered};
  const auto frame = next_exchange();
  if (!frame) return kSaysFailure + failure_text(failure_);
  if (frame->type == comm::FrameType::kReport) {
    events_.reported(model::stage_report_from_json(frame->body));
    is_delivered_ = true;
  }
  return static_cast<char>(frame->type) + frame->body;
}

void LocalStage::answer(const std::string& reply) {
  if (is_delivered_) return;
  if (has_failed_) {
    is_delivered_ = true;
    return;
  }
  // A worker that no longer takes it has reported and left, or its end is seen in the next round.
  [[maybe_unused]] const bool is_sent = worker_.channel().try_send(
      static_cast<comm::FrameType>(reply[0]), std::string_view(reply).substr(1), deadline_);
}

std::optional<comm::Frame> LocalStage::next_exchange() {
  while (await_frame()) {
    comm::Frame frame;
    const base::Deadline rest(std::max(deadline_.at(), base::Clock::now() + kRestOfFrame));
    const auto arrival = worker_.channel().try_receive(frame, rest);
    if (arrival == comm::Arrival::kLate) break;
    if (arrival == comm::Arrival::kClosed) {
      const auto ending = worker_.wait(kReap);
      fail(fmt::format("the worker ended early: {}", ending.value_or("it closed its socket")),
           "worker-ended");
      return std::nullopt;
    }
    if (frame.type == comm::FrameType::kStep) {
      last_step_ = frame.body;
      events_.step(frame.body);
    } else if (frame.type == comm::FrameType::kProgress) {
      show_progress(frame.body);
    } else {
      return frame;
    }
  }
  end_worker();
  return std::nullopt;
}

/// Until something can be read. False when nothing will come: at the deadline, and when the worker
/// is stopped and nobody waits for it.
bool LocalStage::await_frame() {
  int stopped_looks = 0;
  while (true) {
    if (received_signal() != 0) throw Error(ErrorKind::kPeer, "stopped by a signal");
    const auto look = base::Deadline::earlier(deadline_, base::Deadline::after(kLook));
    if (worker_.channel().has_frame(look)) return true;
    stopped_looks = worker_.is_stopped() ? stopped_looks + 1 : 0;
    is_stopped_ = stopped_looks >= kStoppedLooks;
    if (deadline_.has_passed()) return false;
    if (goes_on_ && is_stopped_) return false;
  }
}

void LocalStage::end_worker() {
  worker_.kill();
  if (!deadline_.has_passed() && is_stopped_) {
    fail(fmt::format("the worker was stopped by a signal, from outside, for {:g} s and was killed",
                     base::to_seconds(kStoppedLooks * kLook)),
         "worker-ended");
    return;
  }
  fail(fmt::format("the worker {}did not end within the stage time-out of {:g} s and was killed",
                   is_stopped_ ? "was stopped by a signal, from outside, and " : "",
                   spec_.timeout_s),
       is_stopped_ ? "worker-ended" : "worker-killed");
}

void LocalStage::show_progress(std::string_view body) const {
  const auto blank = body.find(' ');
  const double share = std::strtod(std::string(body.substr(0, blank)).c_str(), nullptr);
  events_.progress(share, blank == std::string_view::npos ? "" : body.substr(blank + 1));
}

void LocalStage::fail(const std::string& text, const char* sign) {
  // Its handler ended the worker. What stopped the run is known, and this is its consequence.
  if (received_signal() != 0) throw Error(ErrorKind::kPeer, "stopped by a signal");
  has_failed_ = true;
  failure_.stage = spec_.probe;
  failure_.rank = spec_.rank;
  failure_.host = spec_.hosts.at(static_cast<std::size_t>(spec_.rank));
  if (!last_step_.empty()) failure_.step = last_step_;
  failure_.text = text;
  failure_.sign = sign;
  events_.failed(failure_);
}

}  // namespace ringwise::app

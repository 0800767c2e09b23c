#include "app/probe/stage_runner.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include <fmt/format.h>

#include "app/probe/worker_process.h"
#include "base/error.h"
#include "comm/relay.h"
#include "model/json.h"
#include "probe/stage_json.h"

namespace ringwise::app {
namespace {

/// First character of what a rank contributes to a round: its worker's exchange (the frame types
/// kGather and kMax), its report, its failure, or that one of the two was delivered earlier.
constexpr char kGather = static_cast<char>(comm::FrameType::kGather);
constexpr char kMax = static_cast<char>(comm::FrameType::kMax);
constexpr char kReport = static_cast<char>(comm::FrameType::kReport);
constexpr char kFailure = 'F';
constexpr char kDelivered = 'D';

/// First character of rank 0's answer.
constexpr char kReply = static_cast<char>(comm::FrameType::kReply);
constexpr char kAbort = static_cast<char>(comm::FrameType::kAbort);
constexpr char kEnd = 'E';

/// How much longer the others wait for rank 0: until it has told them, written the record and
/// ended the run.
constexpr std::chrono::seconds kAnswerGrace{3};
constexpr std::chrono::seconds kShortestConfirmation{2};
constexpr std::chrono::seconds kLongestConfirmation{10};

bool is_exchange(char kind) {
  return kind == kGather || kind == kMax;
}

std::string pack_failure(const model::Problem& problem) {
  return comm::pack({problem.step.value_or(""), problem.text, problem.sign.value_or("")});
}

model::Problem unpack_failure(const probe::StageSpec& spec, int rank, std::string_view body) {
  const auto parts = comm::unpack(body);
  model::Problem problem;
  problem.stage = spec.probe;
  problem.rank = rank;
  problem.host = spec.hosts.at(static_cast<std::size_t>(rank));
  if (!parts.at(0).empty()) problem.step = parts.at(0);
  problem.text = parts.at(1);
  if (!parts.at(2).empty()) problem.sign = parts.at(2);
  return problem;
}

/// This rank's side: its worker, and what it has to say in each round.
class Local {
 public:
  Local(const probe::StageSpec& spec, const StageEvents& events)
      : spec_(spec),
        events_(events),
        deadline_(base::Deadline::after(base::from_seconds(spec.timeout_s))),
        worker_(spec.settings) {
    send(comm::FrameType::kSpec, probe::to_json_line(spec));
  }

  [[nodiscard]] base::Deadline deadline() const { return deadline_; }

  std::string contribution() {
    if (is_delivered_) return {kDelivered};
    const auto frame = next_exchange();
    if (!frame) return kFailure + pack_failure(failure_);
    if (frame->type == comm::FrameType::kReport) {
      events_.reported(model::stage_report_from_json(frame->body));
      is_delivered_ = true;
    }
    return static_cast<char>(frame->type) + frame->body;
  }

  /// Passes rank 0's answer to a worker that waits for one.
  void answer(const std::string& reply) {
    if (is_delivered_) return;
    const auto body = std::string_view(reply).substr(1);
    if (has_failed_) {
      is_delivered_ = true;
    } else if (reply[0] == kReply || reply[0] == kAbort) {
      send(static_cast<comm::FrameType>(reply[0]), body);
    }
  }

 private:
  /// A worker that takes no more messages has ended: what it said last, its report perhaps, is
  /// still to be read, and its closed socket comes after that.
  void send(comm::FrameType type, std::string_view body) {
    [[maybe_unused]] const bool is_taken = worker_.channel().try_send(type, body, deadline_);
  }

  /// The worker's next exchange or report; empty when there will be none.
  std::optional<comm::Frame> next_exchange() {
    while (!deadline_.has_passed()) {
      if (!worker_.channel().has_frame(deadline_)) break;
      auto frame = worker_.channel().receive(deadline_);
      if (!frame) {
        const auto ending = worker_.wait(std::chrono::seconds(1));
        fail(fmt::format("the worker ended early: {}", ending.value_or("it closed its socket")),
             "worker-ended");
        return std::nullopt;
      }
      if (frame->type == comm::FrameType::kStep) {
        last_step_ = frame->body;
        events_.step(frame->body);
      } else if (frame->type == comm::FrameType::kProgress) {
        show_progress(frame->body);
      } else {
        return frame;
      }
    }
    worker_.kill();
    fail(fmt::format("the worker did not end within the stage time-out of {:g} s and was killed",
                     spec_.timeout_s),
         "worker-killed");
    return std::nullopt;
  }

  void show_progress(std::string_view body) const {
    const auto blank = body.find(' ');
    const double share = std::strtod(std::string(body.substr(0, blank)).c_str(), nullptr);
    events_.progress(share, blank == std::string_view::npos ? "" : body.substr(blank + 1));
  }

  void fail(const std::string& text, const char* sign) {
    has_failed_ = true;
    failure_.stage = spec_.probe;
    failure_.rank = spec_.rank;
    failure_.host = spec_.hosts.at(static_cast<std::size_t>(spec_.rank));
    if (!last_step_.empty()) failure_.step = last_step_;
    failure_.text = text;
    failure_.sign = sign;
    events_.failed(failure_);
  }

  const probe::StageSpec& spec_;
  const StageEvents& events_;
  base::Deadline deadline_;
  WorkerProcess worker_;
  std::string last_step_;
  model::Problem failure_;
  bool has_failed_ = false;
  bool is_delivered_ = false;
};

/// Rank 0's side: what everyone said, and the answer to it.
class Referee {
 public:
  explicit Referee(const probe::StageSpec& spec) : spec_(spec) {
    outcome_.reports.resize(static_cast<std::size_t>(spec.ranks));
  }

  std::string decide(std::vector<std::optional<std::string>>& texts) {
    std::size_t exchanging = 0;
    for (std::size_t rank = 0; rank < texts.size(); ++rank) {
      if (!texts[rank] || texts[rank]->empty()) {
        outcome_.lost.push_back(static_cast<int>(rank));
      } else if (is_exchange(texts[rank]->front())) {
        ++exchanging;
      } else {
        take_ending(static_cast<int>(rank), *texts[rank]);
      }
    }
    if (is_lost() || exchanging == 0) return {kEnd};
    if (exchanging < texts.size()) return kAbort + reason_;
    return exchange(texts);
  }

  /// Who has not said that it knows of the end waits for an answer that the network swallowed, and
  /// would end the run itself.
  void confirm(const std::vector<std::optional<std::string>>& texts) {
    for (std::size_t rank = 0; rank < texts.size(); ++rank) {
      if (!texts[rank]) outcome_.lost.push_back(static_cast<int>(rank));
    }
  }

  [[nodiscard]] bool is_lost() const { return !outcome_.lost.empty(); }

  StageOutcome take_outcome() { return std::move(outcome_); }

 private:
  void take_ending(int rank, const std::string& text) {
    const auto body = std::string_view(text).substr(1);
    const std::string& host = spec_.hosts.at(static_cast<std::size_t>(rank));
    if (text[0] == kFailure) {
      outcome_.problems.push_back(unpack_failure(spec_, rank, body));
      say_first(fmt::format("rank {} ({}): {}", rank, host, outcome_.problems.back().text));
    } else if (text[0] == kReport) {
      auto report = model::stage_report_from_json(body);
      std::string why = "it ended before the others";
      for (const auto& result : report.results) {
        if (result.status != model::Status::kOk && result.reason) why = *result.reason;
      }
      say_first(fmt::format("rank {} ({}): {}", rank, host, why));
      outcome_.reports[static_cast<std::size_t>(rank)] = std::move(report);
    }
  }

  void say_first(const std::string& reason) {
    if (reason_.empty()) reason_ = reason;
  }

  static std::string exchange(const std::vector<std::optional<std::string>>& texts) {
    const char kind = texts[0]->front();
    std::vector<std::string> bodies;
    double largest = 0;
    for (const auto& text : texts) {
      if (text->front() != kind) {
        return kAbort + std::string("internal error: the ranks are in different steps");
      }
      bodies.push_back(text->substr(1));
      if (kind == kMax) {
        const double number = std::strtod(bodies.back().c_str(), nullptr);
        largest = bodies.size() == 1 ? number : std::max(largest, number);
      }
    }
    return kReply + (kind == kMax ? fmt::format("{}", largest) : comm::pack(bodies));
  }

  const probe::StageSpec& spec_;
  StageOutcome outcome_;
  std::string reason_;
};

/// Before a rank that waits for its answer gives up, and before the others miss the next stage.
base::Deadline confirm_by(base::Deadline gather_by) {
  const auto now = base::Clock::now();
  return base::Deadline(
      std::clamp(gather_by.at(), now + kShortestConfirmation, now + kLongestConfirmation));
}

}  // namespace

StageOutcome run_stage(comm::ControlPlane& plane, const probe::StageSpec& spec,
                       const StageEvents& events) {
  Local local(spec, events);
  Referee referee(spec);
  // Rank 0 gives up on silent ranks first, so that it can still say so to the others.
  const base::Deadline gather_by(local.deadline().at() + kStageGrace);
  const base::Deadline answer_by(gather_by.at() + kAnswerGrace);
  while (true) {
    auto texts = plane.gather(local.contribution(), gather_by);
    const std::string reply =
        plane.broadcast(plane.rank() == 0 ? referee.decide(texts) : "", answer_by);
    if (!reply.empty() && reply[0] != kEnd) {
      local.answer(reply);
      continue;
    }
    if (!referee.is_lost()) referee.confirm(plane.gather("", confirm_by(gather_by)));
    return referee.take_outcome();
  }
}

}  // namespace ringwise::app

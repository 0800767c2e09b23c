#include "app/probe/referee.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "app/probe/stage_words.h"
#include "comm/relay.h"
#include "model/json.h"
#include "model/problem_order.h"

namespace ringwise::app {
namespace {

bool is_exchange(const std::optional<std::string>& text) {
  return text && !text->empty() && (text->front() == kSaysGather || text->front() == kSaysMax);
}

model::Problem problem_from(const probe::StageSpec& spec, int rank, std::string_view body) {
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

std::string in_words(const model::Problem& problem) {
  return fmt::format("rank {} ({}): {}", problem.rank.value_or(-1), problem.host.value_or("?"),
                     problem.text);
}

/// Why a rank that reported takes no further part, where it says so.
std::string ending_of(const model::StageReport& report) {
  for (const auto& result : report.results) {
    if (result.status != model::Status::kOk && result.reason) return *result.reason;
  }
  return "it ended before the others";
}

}  // namespace

std::string failure_text(const model::Problem& problem) {
  return comm::pack({problem.step.value_or(""), problem.text, problem.sign.value_or("")});
}

Referee::Referee(const probe::StageSpec& spec, bool goes_on)
    : spec_(spec), goes_on_(goes_on), endings_(static_cast<std::size_t>(spec.ranks)) {
  outcome_.reports.resize(static_cast<std::size_t>(spec.ranks));
}

std::string Referee::decide(const std::vector<std::optional<std::string>>& texts) {
  std::size_t exchanging = 0;
  for (std::size_t rank = 0; rank < texts.size(); ++rank) {
    if (!texts[rank] || texts[rank]->empty()) {
      outcome_.lost.push_back(static_cast<int>(rank));
    } else if (is_exchange(texts[rank])) {
      ++exchanging;
    } else {
      take_ending(static_cast<int>(rank), *texts[rank]);
    }
  }
  if (is_lost() || exchanging == 0) return {kAnswersEnd};
  if (exchanging < texts.size() && !goes_on_) return kAnswersAbort + reason();
  return exchange(texts);
}

void Referee::confirm(const std::vector<std::optional<std::string>>& texts) {
  for (std::size_t rank = 0; rank < texts.size(); ++rank) {
    if (!texts[rank]) outcome_.lost.push_back(static_cast<int>(rank));
  }
}

void Referee::take_ending(int rank, const std::string& text) {
  const auto body = std::string_view(text).substr(1);
  const auto place = static_cast<std::size_t>(rank);
  if (text[0] == kSaysFailure) {
    outcome_.problems.push_back(problem_from(spec_, rank, body));
    seen_.push_back(outcome_.problems.back());
    endings_[place] = in_words(seen_.back());
  } else if (text[0] == kSaysReport) {
    auto report = model::stage_report_from_json(body);
    seen_.insert(seen_.end(), report.problems.begin(), report.problems.end());
    endings_[place] =
        fmt::format("rank {} ({}): {}", rank, spec_.hosts.at(place), ending_of(report));
    outcome_.reports[place] = std::move(report);
  }
}

std::string Referee::reason() const {
  auto problems = seen_;
  model::sort_problems(problems);
  if (!problems.empty()) return in_words(problems.front());
  const auto first = std::find_if(endings_.begin(), endings_.end(),
                                  [](const std::string& ending) { return !ending.empty(); });
  return first == endings_.end() ? "a rank ended before the others" : *first;
}

std::string Referee::exchange(const std::vector<std::optional<std::string>>& texts) const {
  std::vector<comm::Contribution> contributions(texts.size());
  std::vector<std::string> bodies;
  std::optional<char> kind;
  double largest = 0;
  for (std::size_t rank = 0; rank < texts.size(); ++rank) {
    if (!is_exchange(texts[rank])) {
      contributions[rank].lost_because = endings_[rank];
      continue;
    }
    const auto& text = *texts[rank];
    if (kind.value_or(text.front()) != text.front()) {
      return kAnswersAbort + std::string("internal error: the ranks are in different steps");
    }
    contributions[rank].text = text.substr(1);
    if (text.front() == kSaysMax) {
      const double number = std::strtod(contributions[rank].text.c_str(), nullptr);
      largest = kind ? std::max(largest, number) : number;
    }
    kind = text.front();
    bodies.push_back(contributions[rank].text);
  }
  if (kind == kSaysMax) return kAnswersReply + fmt::format("{}", largest);
  if (bodies.size() == texts.size()) return kAnswersReply + comm::pack(bodies);
  return kAnswersPartial + comm::pack_present(contributions);
}

}  // namespace ringwise::app

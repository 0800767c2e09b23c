#include "comm/local_group.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "base/error.h"

namespace ringwise::comm {

struct LocalGroup::State {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::string> collecting;  // texts of the exchange that is being filled
  std::vector<std::string> complete;    // texts of the last exchange that everyone joined
  std::vector<bool> has_joined;
  std::size_t joined = 0;
  std::uint64_t generation = 0;
  std::string failure;  // "rank 2: reason", empty = none
};

class LocalGroup::Member final : public Communicator {
 public:
  Member(State& state, int rank, int size) : state_(state), rank_(rank), size_(size) {}
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }

  std::vector<std::string> gather_all(const std::string& mine, base::Deadline deadline) override {
    std::unique_lock lock(state_.mutex);
    throw_if_failed();
    const auto my_generation = state_.generation;
    const auto me = static_cast<std::size_t>(rank_);
    state_.collecting[me] = mine;
    state_.has_joined[me] = true;
    if (++state_.joined == state_.collecting.size()) {
      state_.complete = state_.collecting;
      std::fill(state_.has_joined.begin(), state_.has_joined.end(), false);
      state_.joined = 0;
      ++state_.generation;
      state_.changed.notify_all();
      return state_.complete;
    }
    const bool in_time = state_.changed.wait_until(lock, deadline.at(), [&] {
      return state_.generation != my_generation || !state_.failure.empty();
    });
    if (state_.generation != my_generation) return state_.complete;
    if (in_time) throw_if_failed();
    throw Error(ErrorKind::kTimeout, fmt::format("rank {} waited in vain for {}", rank_, silent()));
  }

  double max(double mine, base::Deadline deadline) override {
    double largest = mine;
    for (const auto& text : gather_all(fmt::format("{}", mine), deadline)) {
      largest = std::max(largest, std::stod(text));
    }
    return largest;
  }

 private:
  void throw_if_failed() const {
    if (!state_.failure.empty()) throw Error(ErrorKind::kPeer, state_.failure);
  }
  [[nodiscard]] std::string silent() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < state_.has_joined.size(); ++i) {
      if (!state_.has_joined[i]) names.push_back(fmt::format("rank {}", i));
    }
    return fmt::format("{}", fmt::join(names, ", "));
  }

  State& state_;
  int rank_;
  int size_;
};

LocalGroup::LocalGroup(int size) : state_(std::make_unique<State>()) {
  state_->collecting.resize(static_cast<std::size_t>(size));
  state_->has_joined.resize(static_cast<std::size_t>(size));
  for (int rank = 0; rank < size; ++rank) {
    members_.push_back(std::make_unique<Member>(*state_, rank, size));
  }
}

LocalGroup::~LocalGroup() = default;

Communicator& LocalGroup::at(int rank) {
  return *members_.at(static_cast<std::size_t>(rank));
}

void LocalGroup::fail(int rank, const std::string& reason) {
  const std::lock_guard lock(state_->mutex);
  if (state_->failure.empty()) state_->failure = fmt::format("rank {}: {}", rank, reason);
  state_->changed.notify_all();
}

std::vector<std::string> LocalGroup::run(int size, const std::function<void(Communicator&)>& body) {
  LocalGroup group(size);
  std::vector<std::string> thrown(static_cast<std::size_t>(size));
  std::vector<std::thread> threads;
  threads.reserve(thrown.size());
  for (int rank = 0; rank < size; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        body(group.at(rank));
      } catch (const std::exception& error) {
        thrown[static_cast<std::size_t>(rank)] = error.what();
        group.fail(rank, error.what());
      }
    });
  }
  for (auto& thread : threads) thread.join();
  return thrown;
}

}  // namespace ringwise::comm

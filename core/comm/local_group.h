// Ranks as threads of one process: how the tests run collective code, and how one process measures
// alone.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "comm/communicator.h"

namespace ringwise::comm {

/// Shared state of a group of `size` ranks in this process.
class LocalGroup {
 public:
  explicit LocalGroup(int size);
  ~LocalGroup();
  LocalGroup(const LocalGroup&) = delete;
  LocalGroup& operator=(const LocalGroup&) = delete;
  LocalGroup(LocalGroup&&) = delete;
  LocalGroup& operator=(LocalGroup&&) = delete;

  /// The communicator of `rank`; valid while the group lives. Each rank uses its own, in one
  /// thread at a time.
  Communicator& at(int rank);

  /// `rank` has failed with `reason`: everyone who waits for it gets Error(kPeer).
  void fail(int rank, const std::string& reason);

  /// Runs `body` once a rank, each in a thread, and waits for all. What the threads threw is
  /// returned by rank, empty text = nothing. A rank that throws counts as failed for the others.
  static std::vector<std::string> run(int size, const std::function<void(Communicator&)>& body);

 private:
  struct State;
  class Member;
  std::unique_ptr<State> state_;
  std::vector<std::unique_ptr<Member>> members_;
};

}  // namespace ringwise::comm

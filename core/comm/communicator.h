// What the ranks of a stage agree on with each other: small texts and numbers, never measured
// bytes.
#pragma once

#include <string>
#include <vector>

#include "base/deadline.h"

namespace ringwise::comm {

/// What one rank gave to a gather.
struct Contribution {
  std::string text;
  std::string lost_because;  ///< not empty: the rank takes no further part, and gave nothing
  bool operator==(const Contribution&) const = default;
};

/// The group of ranks that run one stage together. Every function is collective: all ranks call
/// it in the same order, or none does. They throw Error(kTimeout) when the deadline passes and
/// Error(kPeer) when another rank has failed or left; the text names that rank and its reason.
class Communicator {
 public:
  Communicator() = default;
  virtual ~Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  Communicator(Communicator&&) = delete;
  Communicator& operator=(Communicator&&) = delete;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;

  /// Everyone's text, indexed by rank. Collective.
  virtual std::vector<std::string> gather_all(const std::string& mine, base::Deadline deadline) = 0;

  /// The same in a stage that goes on without the ranks that fail (Probe::survives_lost_ranks).
  /// A rank that is lost once stays lost. Collective.
  virtual std::vector<Contribution> gather_present(const std::string& mine,
                                                   base::Deadline deadline);

  /// The largest of everyone's numbers; in a stage that goes on without the ranks that fail, of
  /// those that are left. Collective.
  virtual double max(double mine, base::Deadline deadline) = 0;

  /// True when every rank said true. Collective.
  bool all_ok(bool mine, base::Deadline deadline) { return max(mine ? 0.0 : 1.0, deadline) == 0.0; }
  /// Collective.
  void barrier(base::Deadline deadline) { max(0.0, deadline); }
};

}  // namespace ringwise::comm

// The communicator of a worker: its supervisor passes everything on over the control plane.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "comm/communicator.h"
#include "comm/frames.h"

namespace ringwise::comm {

/// Texts packed into one body, and back: each is a 32-bit length and its bytes.
[[nodiscard]] std::string pack(const std::vector<std::string>& texts);
/// Throws Error(kPeer) when the body is not a pack.
[[nodiscard]] std::vector<std::string> unpack(std::string_view body);

/// The contributions of a gather that some ranks no longer take part in, and back.
[[nodiscard]] std::string pack_present(const std::vector<Contribution>& contributions);
/// Throws Error(kPeer) when the body is no such pack.
[[nodiscard]] std::vector<Contribution> unpack_present(std::string_view body);

class RelayCommunicator final : public Communicator {
 public:
  /// `channel` leads to the supervisor and outlives this.
  RelayCommunicator(FrameChannel& channel, int rank, int size)
      : channel_(channel), rank_(rank), size_(size) {}

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  std::vector<std::string> gather_all(const std::string& mine, base::Deadline deadline) override;
  std::vector<Contribution> gather_present(const std::string& mine,
                                           base::Deadline deadline) override;
  double max(double mine, base::Deadline deadline) override;

 private:
  Frame exchange(FrameType type, const std::string& mine, base::Deadline deadline);

  FrameChannel& channel_;
  int rank_;
  int size_;
};

}  // namespace ringwise::comm

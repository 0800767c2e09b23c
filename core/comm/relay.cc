#include "comm/relay.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"

namespace ringwise::comm {

std::string pack(const std::vector<std::string>& texts) {
  std::string body;
  for (const auto& text : texts) {
    const auto length = static_cast<std::uint32_t>(text.size());
    body.append(reinterpret_cast<const char*>(&length), sizeof length);
    body.append(text);
  }
  return body;
}

std::vector<std::string> unpack(std::string_view body) {
  std::vector<std::string> texts;
  while (!body.empty()) {
    std::uint32_t length = 0;
    if (body.size() < sizeof length) throw Error(ErrorKind::kPeer, "a cut message");
    std::memcpy(&length, body.data(), sizeof length);
    body.remove_prefix(sizeof length);
    if (body.size() < length) throw Error(ErrorKind::kPeer, "a cut message");
    texts.emplace_back(body.substr(0, length));
    body.remove_prefix(length);
  }
  return texts;
}

std::string pack_present(const std::vector<Contribution>& contributions) {
  std::vector<std::string> texts;
  for (const auto& contribution : contributions) {
    texts.push_back(contribution.text);
    texts.push_back(contribution.lost_because);
  }
  return pack(texts);
}

std::vector<Contribution> unpack_present(std::string_view body) {
  const auto texts = unpack(body);
  if (texts.size() % 2 != 0) throw Error(ErrorKind::kPeer, "a cut message");
  std::vector<Contribution> contributions;
  for (std::size_t i = 0; i < texts.size(); i += 2) {
    contributions.push_back({.text = texts[i], .lost_because = texts[i + 1]});
  }
  return contributions;
}

Frame RelayCommunicator::exchange(FrameType type, const std::string& mine,
                                  base::Deadline deadline) {
  Frame frame;
  const bool is_sent = channel_.try_send(type, mine, deadline);
  // Who comes too late to wait cannot say that the others were.
  const auto arrival = is_sent ? channel_.try_receive(frame, deadline) : Arrival::kLate;
  if (arrival == Arrival::kClosed || (!is_sent && !deadline.has_passed())) {
    throw Error(ErrorKind::kPeer, "the supervisor is gone");
  }
  if (arrival == Arrival::kLate) {
    // Which rank it is, its own supervisor says.
    throw Error(ErrorKind::kPeer,
                "the stage's time is over, and not every rank has come to the same step");
  }
  if (frame.type == FrameType::kAbort) throw Error(ErrorKind::kPeer, frame.body);
  if (frame.type != FrameType::kReply && frame.type != FrameType::kPartial) {
    throw Error(ErrorKind::kInternal, "the supervisor sent a message out of turn");
  }
  return frame;
}

std::vector<Contribution> RelayCommunicator::gather_present(const std::string& mine,
                                                            base::Deadline deadline) {
  const auto frame = exchange(FrameType::kGather, mine, deadline);
  std::vector<Contribution> contributions;
  if (frame.type == FrameType::kPartial) {
    contributions = unpack_present(frame.body);
  } else {
    for (auto& text : unpack(frame.body)) contributions.push_back({std::move(text), {}});
  }
  if (contributions.size() != static_cast<std::size_t>(size_)) {
    throw Error(ErrorKind::kInternal,
                fmt::format("{} texts came back for {} ranks", contributions.size(), size_));
  }
  return contributions;
}

std::vector<std::string> RelayCommunicator::gather_all(const std::string& mine,
                                                       base::Deadline deadline) {
  std::vector<std::string> texts;
  for (auto& contribution : gather_present(mine, deadline)) {
    if (!contribution.lost_because.empty()) {
      throw Error(ErrorKind::kPeer, contribution.lost_because);
    }
    texts.push_back(std::move(contribution.text));
  }
  return texts;
}

double RelayCommunicator::max(double mine, base::Deadline deadline) {
  const auto frame = exchange(FrameType::kMax, fmt::format("{}", mine), deadline);
  return std::strtod(frame.body.c_str(), nullptr);
}

}  // namespace ringwise::comm

#include "comm/relay.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>

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

std::string RelayCommunicator::exchange(FrameType type, const std::string& mine,
                                        base::Deadline deadline) {
  channel_.send(type, mine, deadline);
  const auto frame = channel_.receive(deadline);
  if (!frame) throw Error(ErrorKind::kPeer, "the supervisor is gone");
  if (frame->type == FrameType::kAbort) throw Error(ErrorKind::kPeer, frame->body);
  if (frame->type != FrameType::kReply) {
    throw Error(ErrorKind::kInternal, "the supervisor sent a message out of turn");
  }
  return frame->body;
}

std::vector<std::string> RelayCommunicator::gather_all(const std::string& mine,
                                                       base::Deadline deadline) {
  auto texts = unpack(exchange(FrameType::kGather, mine, deadline));
  if (texts.size() != static_cast<std::size_t>(size_)) {
    throw Error(ErrorKind::kInternal,
                fmt::format("{} texts came back for {} ranks", texts.size(), size_));
  }
  return texts;
}

double RelayCommunicator::max(double mine, base::Deadline deadline) {
  return std::strtod(exchange(FrameType::kMax, fmt::format("{}", mine), deadline).c_str(), nullptr);
}

}  // namespace ringwise::comm

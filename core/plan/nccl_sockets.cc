#include "plan/nccl_sockets.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "knowledge/socket_facts.h"

namespace ringwise::plan {
namespace {

/// NCCL's mark for "nobody set this".
constexpr std::int64_t kAutomatic = -2;

const knowledge::SocketDefaults& defaults_of(const std::optional<std::string>& pci_vendor) {
  for (const auto& row : knowledge::kSocketDefaultsByVendor) {
    if (pci_vendor == row.pci_vendor) return row;
  }
  return knowledge::kSocketDefaultsOfOthers;
}

std::int64_t read(const Environment& environment, std::string_view name, std::int64_t fallback,
                  std::vector<std::string>& notes) {
  auto number = nccl_integer(environment, name, fallback);
  if (!number.note.empty()) notes.push_back(std::move(number.note));
  return number.value;
}

void clamp(SocketPlan& plan, std::int64_t threads, std::int64_t sockets) {
  if (threads < 0 || sockets < 0) {
    plan.notes.emplace_back(
        "a negative number of socket threads or sockets breaks NCCL's connection set-up; taken as "
        "0");
    threads = std::max<std::int64_t>(threads, 0);
    sockets = std::max<std::int64_t>(sockets, 0);
  }
  if (threads > knowledge::kMaxSocketThreads) {
    plan.notes.push_back(fmt::format("NCCL takes at most {} socket threads, not {}",
                                     knowledge::kMaxSocketThreads, threads));
    threads = knowledge::kMaxSocketThreads;
  }
  if (threads > 0 && sockets > knowledge::kMaxDataSockets / threads) {
    plan.notes.push_back(fmt::format(
        "NCCL takes at most {} data sockets, not {} threads x {}: {} a thread",
        knowledge::kMaxDataSockets, threads, sockets, knowledge::kMaxDataSockets / threads));
    sockets = knowledge::kMaxDataSockets / threads;
  }
  plan.threads = static_cast<int>(threads);
  plan.sockets_per_thread =
      static_cast<int>(std::min<std::int64_t>(sockets, std::numeric_limits<int>::max()));
  plan.data_sockets = threads > 0 ? plan.threads * plan.sockets_per_thread : 0;
}

void set_task_sizes(SocketPlan& plan, const Environment& environment,
                    const std::optional<std::string>& nccl_version) {
  plan.min_task_bytes = knowledge::kSocketMinTaskBytes;
  const auto version = nccl_version ? knowledge::parse_nccl_version(*nccl_version) : std::nullopt;
  if (version.value_or(knowledge::kNewestKnown) < knowledge::kSocketInlineSince) return;
  const auto inline_bytes =
      read(environment, "NCCL_SOCKET_INLINE",
           static_cast<std::int64_t>(knowledge::kSocketInlineBytes), plan.notes);
  const auto task_bytes =
      read(environment, "NCCL_SOCKET_MIN_TASKSIZE",
           static_cast<std::int64_t>(knowledge::kSocketMinTaskBytes), plan.notes);
  plan.inline_bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(inline_bytes, 0));
  plan.min_task_bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(task_bytes, 1));
}

/// The value of the first variable that is set; absent when none is.
std::optional<std::pair<std::string, std::int64_t>> first_set(const Environment& environment,
                                                              const std::vector<std::string>& names,
                                                              std::vector<std::string>& notes) {
  for (const auto& name : names) {
    const auto value = read(environment, name, kAutomatic, notes);
    if (value != kAutomatic) return std::pair{name, value};
  }
  return std::nullopt;
}

}  // namespace

SocketPlan socket_plan(const std::optional<std::string>& pci_vendor, const Environment& environment,
                       const std::optional<std::string>& nccl_version) {
  SocketPlan plan;
  const auto& defaults = defaults_of(pci_vendor);
  auto threads = read(environment, "NCCL_SOCKET_NTHREADS", kAutomatic, plan.notes);
  auto sockets = read(environment, "NCCL_NSOCKS_PERTHREAD", kAutomatic, plan.notes);
  plan.reason = fmt::format("NCCL's default for {}: {} threads x {} sockets", defaults.nic,
                            defaults.threads, defaults.sockets_per_thread);
  if (threads != kAutomatic || sockets != kAutomatic) {
    plan.reason += ", changed by NCCL_SOCKET_NTHREADS or NCCL_NSOCKS_PERTHREAD";
  }
  if (threads == kAutomatic) threads = defaults.threads;
  if (sockets == kAutomatic) {
    sockets = defaults.sockets_per_thread;
  } else if (threads == 0) {
    plan.notes.emplace_back("NCCL_NSOCKS_PERTHREAD does nothing while there are 0 socket threads");
  }
  clamp(plan, threads, sockets);
  set_task_sizes(plan, environment, nccl_version);
  return plan;
}

SocketPlan with_threads(SocketPlan plan, int threads, int sockets_per_thread) {
  plan.notes.clear();
  plan.reason = fmt::format("asked for: {} threads x {} sockets", threads, sockets_per_thread);
  clamp(plan, threads, sockets_per_thread);
  return plan;
}

ChannelPlan channel_plan(std::size_t nics, const Environment& environment) {
  ChannelPlan plan;
  std::int64_t channels = 2 * static_cast<std::int64_t>(std::max<std::size_t>(nics, 1));
  plan.reason =
      fmt::format("NCCL's default for {} TCP {}: {} channels", std::max<std::size_t>(nics, 1),
                  nics > 1 ? "interfaces" : "interface", channels);
  constexpr std::int64_t kMost = knowledge::kMaxChannels;
  channels = std::min(channels, kMost);
  const auto limit = [&](const std::vector<std::string>& names, const auto& apply) {
    const auto set = first_set(environment, names, plan.notes);
    if (!set) return;
    const auto limited = apply(set->second);
    if (limited == channels) return;
    plan.reason += fmt::format(", {} by {}={}", limited, set->first, set->second);
    channels = limited;
  };
  const auto at_most = [&](std::int64_t value) {
    return std::min(channels, std::clamp<std::int64_t>(value, 1, kMost));
  };
  const auto at_least = [&](std::int64_t value) {
    return std::max(channels, std::clamp<std::int64_t>(value, 0, kMost));
  };
  const auto if_positive = [&](const auto& apply) {
    return [&channels, apply](std::int64_t value) { return value > 0 ? apply(value) : channels; };
  };
  limit({"NCCL_MAX_NCHANNELS", "NCCL_MAX_NRINGS"}, at_most);
  limit({"NCCL_MAX_CTAS"}, if_positive(at_most));
  limit({"NCCL_MIN_NCHANNELS", "NCCL_MIN_NRINGS"}, at_least);
  limit({"NCCL_MIN_CTAS"}, if_positive(at_least));
  plan.channels = static_cast<int>(channels);
  return plan;
}

MessageSplit split_message(std::uint64_t bytes, const SocketPlan& plan, int first_socket) {
  MessageSplit split;
  split.next_socket = first_socket;
  const std::uint64_t inline_bytes = std::min(bytes, plan.inline_bytes);
  split.control_bytes = knowledge::kMessageHeaderBytes + inline_bytes;
  const std::uint64_t rest = bytes - inline_bytes;
  if (rest == 0) return split;
  if (plan.data_sockets == 0) {
    split.tasks.push_back({-1, -1, inline_bytes, rest});
    return split;
  }
  const auto sockets = static_cast<std::uint64_t>(plan.data_sockets);
  const std::uint64_t task =
      std::max(plan.min_task_bytes, rest / sockets + (rest % sockets != 0 ? 1 : 0));
  for (std::uint64_t offset = inline_bytes; offset < bytes; offset += task) {
    const int socket = split.next_socket % plan.data_sockets;
    split.tasks.push_back({socket, socket % plan.threads, offset, std::min(task, bytes - offset)});
    split.next_socket = (socket + 1) % plan.data_sockets;
  }
  return split;
}

}  // namespace ringwise::plan

#include "system/offloads.h"

#include <linux/ethtool_netlink.h>
#include <netlink/attr.h>
#include <netlink/errno.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <cerrno>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/handle.h"

namespace ringwise::system {
namespace {

using Json = nlohmann::json;
using Socket = base::UniqueHandle<nl_sock, nl_socket_free>;
using Message = base::UniqueHandle<nl_msg, nlmsg_free>;

/// Interfaces taken at most: what comes is never trusted to end.
constexpr std::size_t kMostLinks = 65536;

template <std::size_t Count>
using Attributes = std::array<nlattr*, Count>;

/// The attributes inside `outer` by type; all null when they cannot be read.
template <int Highest>
Attributes<Highest + 1> inside(nlattr* outer) {
  Attributes<Highest + 1> found{};
  if (outer == nullptr || nla_parse_nested(found.data(), Highest, outer, nullptr) < 0) return {};
  return found;
}

/// Calls `use(name, is_set)` for every bit of a verbose bitset. A list without a mask names the set
/// bits only. source: Linux Documentation/networking/ethtool-netlink.rst, "Bit sets"
template <typename Use>
void for_each_bit(nlattr* bitset, Use use) {
  const auto parts = inside<ETHTOOL_A_BITSET_MAX>(bitset);
  nlattr* const bits = parts[ETHTOOL_A_BITSET_BITS];
  if (bits == nullptr) return;
  const bool is_list = parts[ETHTOOL_A_BITSET_NOMASK] != nullptr;
  int left = 0;
  nlattr* bit = nullptr;
  nla_for_each_nested(bit, bits, left) {
    const auto values = inside<ETHTOOL_A_BITSET_BIT_MAX>(bit);
    nlattr* const name = values[ETHTOOL_A_BITSET_BIT_NAME];
    if (name == nullptr || nla_len(name) <= 0) continue;
    const std::string_view text(static_cast<const char*>(nla_data(name)),
                                static_cast<std::size_t>(nla_len(name)));
    use(text.substr(0, text.find('\0')), is_list || values[ETHTOOL_A_BITSET_BIT_VALUE] != nullptr);
  }
}

/// One reply: the features of one interface.
int take_reply(nl_msg* message, void* into) {
  auto& offloads = *static_cast<OffloadsByIndex*>(into);
  auto* const header = static_cast<genlmsghdr*>(nlmsg_data(nlmsg_hdr(message)));
  Attributes<ETHTOOL_A_FEATURES_MAX + 1> parts{};
  if (nla_parse(parts.data(), ETHTOOL_A_FEATURES_MAX, genlmsg_attrdata(header, 0),
                genlmsg_attrlen(header, 0), nullptr) < 0) {
    return NL_SKIP;
  }
  const auto device = inside<ETHTOOL_A_HEADER_MAX>(parts[ETHTOOL_A_FEATURES_HEADER]);
  nlattr* const index = device[ETHTOOL_A_HEADER_DEV_INDEX];
  if (index == nullptr || nla_len(index) < 4 || offloads.size() >= kMostLinks) return NL_SKIP;
  Features features;
  // The set of what the device can do has a mask that names every feature of this kernel.
  for_each_bit(parts[ETHTOOL_A_FEATURES_HW],
               [&](std::string_view name, bool) { features.known.emplace(name); });
  for_each_bit(parts[ETHTOOL_A_FEATURES_ACTIVE], [&](std::string_view name, bool is_set) {
    if (is_set) features.active.emplace(name);
  });
  offloads[static_cast<int>(nla_get_u32(index))] = offloads_of(features);
  return NL_OK;
}

int open_socket(Socket& socket) {
  socket.reset(nl_socket_alloc());
  if (!socket) return -NLE_NOMEM;
  if (const int rc = genl_connect(socket.get()); rc < 0) return rc;
  const timeval limit{.tv_sec = 5, .tv_usec = 0};
  const int fd = nl_socket_get_fd(socket.get());
  return setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0 ? 0 : -NLE_FAILURE;
}

/// libnl's code of what failed; 0 = all were read.
int request(OffloadsByIndex& offloads) {
  Socket socket;
  if (const int rc = open_socket(socket); rc < 0) return rc;
  const int family = genl_ctrl_resolve(socket.get(), ETHTOOL_GENL_NAME);
  if (family < 0) return family;
  const Message message(nlmsg_alloc());
  if (!message) return -NLE_NOMEM;
  if (genlmsg_put(message.get(), NL_AUTO_PORT, NL_AUTO_SEQ, family, 0, NLM_F_DUMP,
                  ETHTOOL_MSG_FEATURES_GET, ETHTOOL_GENL_VERSION) == nullptr) {
    return -NLE_NOMEM;
  }
  nlattr* const header = nla_nest_start(message.get(), ETHTOOL_A_FEATURES_HEADER | NLA_F_NESTED);
  if (header == nullptr) return -NLE_NOMEM;
  nla_nest_end(message.get(), header);
  if (const int rc =
          nl_socket_modify_cb(socket.get(), NL_CB_VALID, NL_CB_CUSTOM, take_reply, &offloads);
      rc < 0) {
    return rc;
  }
  if (const int rc = nl_send_auto(socket.get(), message.get()); rc < 0) return rc;
  return nl_recvmsgs_default(socket.get());
}

/// Is one of `names` active? Absent when the kernel knows none of them.
std::optional<bool> any_of(const Features& features,
                           std::initializer_list<std::string_view> names) {
  std::optional<bool> found;
  for (const auto name : names) {
    const bool is_active = features.active.contains(name);
    if (is_active || features.known.contains(name)) found = found.value_or(false) || is_active;
  }
  return found;
}

std::optional<bool> flag_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_boolean()) return std::nullopt;
  return found->get<bool>();
}

/// False when the entry has no index or no offloads.
bool take_entry(const Json& entry, OffloadsByIndex& offloads) {
  if (!entry.is_object()) return false;
  const auto index = entry.find("ifindex");
  const auto flags = entry.find("offloads");
  if (index == entry.end() || !index->is_number_integer() || flags == entry.end() ||
      !flags->is_object()) {
    return false;
  }
  const auto number = index->get<std::int64_t>();
  if (number < 1 || number > std::numeric_limits<int>::max()) return false;
  offloads[static_cast<int>(number)] = {.tso = flag_of(*flags, "tso"),
                                        .gso = flag_of(*flags, "gso"),
                                        .gro = flag_of(*flags, "gro"),
                                        .tx_checksum = flag_of(*flags, "tx_checksum"),
                                        .rx_checksum = flag_of(*flags, "rx_checksum")};
  return true;
}

}  // namespace

// source: Linux net/ethtool/common.c netdev_features_strings; what `ethtool -k` calls
// tcp-segmentation-offload, tx-checksumming, ... is any of several there, as in its features.c
model::Offloads offloads_of(const Features& features) {
  return {.tso = any_of(features, {"tx-tcp-segmentation", "tx-tcp6-segmentation"}),
          .gso = any_of(features, {"tx-generic-segmentation"}),
          .gro = any_of(features, {"rx-gro"}),
          .tx_checksum =
              any_of(features, {"tx-checksum-ip-generic", "tx-checksum-ipv4", "tx-checksum-ipv6"}),
          .rx_checksum = any_of(features, {"rx-checksum"})};
}

OffloadsByIndex read_offloads(std::vector<std::string>& problems) {
  OffloadsByIndex offloads;
  const int rc = request(offloads);
  // A kernel that has no such family or message: the facts are absent, nothing failed.
  const bool is_unknown = rc == -NLE_OBJ_NOTFOUND || rc == -NLE_OPNOTSUPP;
  if (rc < 0 && !is_unknown) {
    problems.push_back(fmt::format("offloads: ethtool netlink: {}", nl_geterror(rc)));
  }
  return offloads;
}

OffloadsByIndex parse_offloads(std::string_view json, std::vector<std::string>& problems) {
  OffloadsByIndex offloads;
  const auto document = Json::parse(json, nullptr, false);
  if (!document.is_array()) {
    problems.emplace_back("offloads: ethtool.json is no JSON list");
    return offloads;
  }
  std::size_t bad = 0;
  for (const auto& entry : document) {
    if (offloads.size() >= kMostLinks || !take_entry(entry, offloads)) ++bad;
  }
  if (bad > 0) {
    problems.push_back(
        fmt::format("offloads: {} entries of ethtool.json have no index or no offloads", bad));
  }
  return offloads;
}

}  // namespace ringwise::system

// Which packet sizes to try, to find the largest that arrives at another rank.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

namespace ringwise::plan {

/// IP packet sizes in bytes.
struct PathMtuLimits {
  int floor = 0;   ///< what every path carries
  int route = 0;   ///< what the sender's kernel takes for the path's MTU
  int device = 0;  ///< what the sender's interface can send; below `route` it counts for both
};

/// Smallest packets that are tried. IPv4 hosts have to take 576 bytes, IPv6 paths to carry 1280.
/// source: RFC 1122 section 3.3.2, RFC 8200 section 5
inline constexpr int kFloorInet = 576;
inline constexpr int kFloorInet6 = 1280;

/// Sizes that are tried at once: so few rounds reach the byte, 4 between 576 and 1500 bytes.
inline constexpr std::size_t kSizesAtOnce = 8;

/// First the route's MTU, and with it the device's where that is larger; then, only when the
/// route's does not arrive, the largest that does. A healthy path is done after the first round.
class PathMtuSearch {
 public:
  /// Limits of no use (below 1, a floor above the route's MTU) are brought into order.
  explicit PathMtuSearch(PathMtuLimits limits);

  /// The sizes to try now, ascending; call arrived() or lost() for each. Empty = done.
  [[nodiscard]] std::vector<int> next() const;
  /// A packet of this size came. May be called late, after lost().
  void arrived(int size);
  /// No packet of this size came, of as many as were thought enough.
  void lost(int size);

  /// Is the size above what the kernel would send? A single try is enough then.
  [[nodiscard]] bool is_above_route(int size) const { return size > limits_.route; }
  /// Is it known already whether this size arrives? A larger one that came says so, too.
  [[nodiscard]] bool is_decided(int size) const;
  /// The largest that arrived; absent while none has.
  [[nodiscard]] std::optional<int> largest() const;
  /// The smallest above largest() that is known not to arrive.
  [[nodiscard]] std::optional<int> smallest_lost() const;

 private:
  PathMtuLimits limits_;
  int largest_ = 0;  ///< 0 = none
  std::set<int> lost_;
};

}  // namespace ringwise::plan

#include "model/problem_order.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace ringwise::model {

void sort_problems(std::vector<Problem>& problems) {
  // See ErrorPlace::sign.
  static constexpr std::array<std::string_view, 12> kSigns{
      "worker-ended",  "link-down", "wrong-data", "wrong-path",    "mtu",    "unacknowledged",
      "no-connection", "slow",      "rank-lost",  "worker-killed", "silent", "closed"};
  const auto distance = [](const Problem& problem) {
    const auto* const found =
        std::find(kSigns.begin(), kSigns.end() - 1, problem.sign.value_or("silent"));
    return found - kSigns.begin();
  };
  std::stable_sort(problems.begin(), problems.end(),
                   [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
}

}  // namespace ringwise::model

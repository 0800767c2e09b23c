// The causes that findings can name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ringwise::knowledge {

struct Cause {
  std::string slug;     ///< "wrong-interface"; never renamed
  std::string area;     ///< "socket", "rdma", "kubernetes", ...
  std::string meaning;  ///< one sentence
};

class Causes {
 public:
  /// Reads the data that is compiled in.
  [[nodiscard]] static Causes load();

  [[nodiscard]] std::span<const Cause> all() const { return causes_; }
  /// Null when no cause has this slug. Valid as long as this object.
  [[nodiscard]] const Cause* find(std::string_view slug) const;

 private:
  explicit Causes(std::vector<Cause> causes) : causes_(std::move(causes)) {}

  std::vector<Cause> causes_;
};

}  // namespace ringwise::knowledge

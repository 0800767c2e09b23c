#include "knowledge/causes.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "knowledge/embedded.h"

namespace ringwise::knowledge {

Causes Causes::load() {
  std::vector<Cause> causes;
  try {
    const auto file = nlohmann::json::parse(causes_json());
    for (const auto& row : file.at("causes")) {
      causes.push_back({row.at("cause"), row.at("area"), row.at("meaning")});
    }
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorKind::kInternal, std::string("causes.json: ") + error.what());
  }
  return Causes(std::move(causes));
}

const Cause* Causes::find(std::string_view slug) const {
  const auto found = std::find_if(causes_.begin(), causes_.end(),
                                  [&](const Cause& cause) { return cause.slug == slug; });
  return found == causes_.end() ? nullptr : &*found;
}

}  // namespace ringwise::knowledge

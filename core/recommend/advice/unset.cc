#include "recommend/advice/rows.h"

namespace ringwise::recommend {

model::Advice unset(std::string id, std::string name, std::string where, std::string reason) {
  model::Advice advice;
  advice.id = std::move(id);
  advice.state = model::AdviceState::kUnset;
  advice.name = std::move(name);
  advice.where = std::move(where);
  advice.reason = std::move(reason);
  advice.nccl_versions = "all";
  return advice;
}

model::Advice not_enough(std::string id, std::string name, std::string where, std::string reason) {
  return unset(std::move(id), std::move(name), std::move(where),
               "not enough evidence: " + std::move(reason));
}

}  // namespace ringwise::recommend

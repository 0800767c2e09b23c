// Settings that the provider of the machines ships: named, and not worked out again.
#include <fmt/format.h>

#include "recommend/advice/rows.h"
#include "recommend/vendor.h"

namespace ringwise::recommend {
namespace {

constexpr const char* kId = "vendor-profile";
constexpr const char* kName = "profile of the provider";

}  // namespace

std::vector<model::Advice> advise_vendor_profile(const Evidence& evidence) {
  std::vector<model::Advice> advices;
  if (!evidence.is_complete) return {not_enough(kId, kName, "host", evidence.why_not)};
  for (const auto& match : vendor_matches(evidence)) {
    model::Advice advice;
    advice.id = kId;
    advice.state = model::AdviceState::kPredicted;
    advice.name = fmt::format("profile of {}", match.profile->name);
    advice.value = match.profile->use;
    advice.where = "host";
    advice.reason = fmt::format(
        "{}. The vendor's values belong together and to the machine type, so ringwise names them "
        "and sets none of them; the pods need {}",
        match.why, match.profile->pod);
    advice.nccl_versions = "all";
    advice.verify = match.profile->verify;
    advice.undo = "leave the profile out";
    advices.push_back(std::move(advice));
  }
  if (advices.empty()) {
    advices.push_back(unset(kId, kName, "host",
                            "no device shows a provider that ships a profile of its own (name it "
                            "with --provider)"));
  }
  return advices;
}

}  // namespace ringwise::recommend

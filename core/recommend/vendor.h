// Whose profile applies to what was measured, and what gives way to it.
#pragma once

#include <string>
#include <vector>

#include "knowledge/vendor_profiles.h"
#include "model/advice.h"
#include "recommend/evidence.h"

namespace ringwise::recommend {

struct VendorMatch {
  const knowledge::VendorProfile* profile = nullptr;
  std::string why;  ///< what shows it
};

/// Profiles that the hosts' devices show, or that the user's --provider names. Several when the
/// facts do not tell one machine type of a provider from another.
[[nodiscard]] std::vector<VendorMatch> vendor_matches(const Evidence& evidence);

/// Tuning values of `advice` become "leave unset": the profile decides them. Where and over which
/// interface stays advice.
void yield_to(const std::vector<VendorMatch>& matches, std::vector<model::Advice>& advice);

}  // namespace ringwise::recommend

// Clouds whose vendors ship NCCL settings of their own: named, and never overridden.
#pragma once

#include <span>
#include <string_view>

namespace ringwise::knowledge {

struct VendorProfile {
  std::string_view slug;      ///< "aws-efa"
  std::string_view provider;  ///< what --provider takes: "aws"
  std::string_view name;      ///< for people
  std::string_view use;       ///< how a job takes it up
  std::string_view pod;       ///< what its pods need besides
  std::string_view verify;    ///< how to see that it took effect
  /// The provider gives its tenants no hostNetwork.
  bool refuses_host_network = false;
};

/// Source of each row: the vendor's own documents and examples, named in vendor_profiles.cc.
[[nodiscard]] std::span<const VendorProfile> vendor_profiles();

/// The profile of that slug, or null.
[[nodiscard]] const VendorProfile* vendor_profile(std::string_view slug);

}  // namespace ringwise::knowledge

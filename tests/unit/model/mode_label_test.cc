// Tests of holding a label against the detected network mode.
#include "model/mode_label.h"

#include <array>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace ringwise::model {
namespace {

std::optional<std::string> contradiction(const char* label, const char* detected) {
  return label_contradiction({.label = label, .detected = detected, .evidence = {}});
}

TEST(LabelContradiction, NamesBothSides) {
  EXPECT_EQ(contradiction("host", "overlay-tunnel"),
            "the label says host, what was found says overlay-tunnel");
}

TEST(LabelContradiction, KnowsTheFamilies) {
  using Pair = std::pair<const char*, const char*>;
  constexpr std::array kFit{Pair{"host", "host"},
                            Pair{"hostNetwork", "host"},
                            Pair{"host_network", "host"},
                            Pair{"Bare-Metal", "host"},
                            Pair{"overlay", "overlay-tunnel"},
                            Pair{"overlay", "overlay-native"},
                            Pair{"overlay-cilium", "overlay-tunnel"},
                            Pair{"pod", "ipvlan-default"},
                            Pair{"overlay-native", "overlay-native"},
                            Pair{"multus", "multus-sriov-vf"},
                            Pair{"multus-rail0", "multus-macvlan"},
                            Pair{"macvlan", "multus-macvlan"},
                            Pair{"sr-iov", "multus-sriov-vf"},
                            Pair{"host-device", "multus-hostdev"},
                            Pair{"ipoib", "multus-ipoib"},
                            Pair{"ipvlan", "ipvlan-default"},
                            Pair{"ipvlan", "multus-ipvlan"},
                            Pair{"gke", "gke-multinet"}};
  for (const auto& [label, detected] : kFit) {
    EXPECT_FALSE(contradiction(label, detected)) << label << " " << detected;
  }
  constexpr std::array kContradict{Pair{"host", "multus-macvlan"},
                                   Pair{"hostNetwork", "overlay-native"},
                                   Pair{"bare", "ipvlan-default"},
                                   Pair{"overlay", "host"},
                                   Pair{"pod", "multus-ipvlan"},
                                   Pair{"overlay-native", "overlay-tunnel"},
                                   Pair{"overlay-tunnel", "overlay-native"},
                                   Pair{"multus", "host"},
                                   Pair{"MULTUS", "overlay-tunnel"},
                                   Pair{"multus-macvlan", "multus-ipvlan"},
                                   Pair{"sriov", "multus-hostdev"},
                                   Pair{"hostdev", "host"},
                                   Pair{"ipvlan", "multus-macvlan"},
                                   Pair{"gke-multinet", "overlay-native"}};
  for (const auto& [label, detected] : kContradict) {
    EXPECT_TRUE(contradiction(label, detected)) << label << " " << detected;
  }
}

TEST(LabelContradiction, IsAbsentWhereOneSideSaysNothing) {
  EXPECT_FALSE(contradiction("rack7", "host"));
  EXPECT_FALSE(contradiction("", "host"));
  EXPECT_FALSE(contradiction("host", "unknown"));
  EXPECT_FALSE(label_contradiction({.label = "host", .detected = std::nullopt, .evidence = {}}));
  EXPECT_FALSE(label_contradiction({.label = std::nullopt, .detected = "host", .evidence = {}}));
}

TEST(LabelContradiction, IsSafeToPrint) {
  EXPECT_EQ(contradiction("host", "over\x1b[31mlay")->find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace ringwise::model

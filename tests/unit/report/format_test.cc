// Tests of numbers and phrases of a report.
#include "report/format.h"

#include <cmath>

#include <gtest/gtest.h>

namespace ringwise::report {
namespace {

TEST(Number, HasFourDigitsAndIsADashWhenAbsent) {
  EXPECT_EQ(number(0.11784), "0.1178");
  EXPECT_EQ(number(12.345), "12.35");
  EXPECT_EQ(number(1234.5), "1234");
  EXPECT_EQ(number(0.000116), "0.00012");
  EXPECT_EQ(number({}), "-");
  EXPECT_EQ(number(std::nan("")), "-");
}

TEST(Interval, IsADashUnlessBothEndsAreThere) {
  EXPECT_EQ(interval(0.5, 0.6), "0.5000-0.6000");
  EXPECT_EQ(interval(0.5, {}), "-");
}

TEST(Verification, TellsWrongFromUnverifiedFromNotMeasured) {
  model::SizeResult size;
  EXPECT_EQ(verification(size), "-");
  size.samples = 1;
  EXPECT_EQ(verification(size), "unverified");
  size.verified = true;
  EXPECT_EQ(verification(size), "verified");
  size.wrong = 3;
  EXPECT_EQ(verification(size), "3 WRONG");
}

TEST(Mode, SaysWhenLabelAndDetectionDiffer) {
  EXPECT_EQ(mode({.label = "host", .detected = "overlay-tunnel", .evidence = {}}),
            "host (label); detected: overlay-tunnel");
  EXPECT_EQ(mode({.label = "host", .detected = "unknown", .evidence = {}}),
            "host (label; not detected)");
  EXPECT_EQ(mode({.label = std::nullopt, .detected = "unknown", .evidence = {}}), mode({}));
  EXPECT_EQ(mode({}), "not known: the evidence does not decide (--mode names it)");
}

TEST(World, NamesUnequalHosts) {
  model::Launch launch;
  launch.ranks = 3;
  launch.nodes = 2;
  launch.ranks_per_node = {2, 1};
  EXPECT_EQ(world(launch), "3 ranks on 2 nodes (2, 1 a node)");
}

}  // namespace
}  // namespace ringwise::report

// Versions from every form in which NCCL's are written.
#include "knowledge/nccl_version.h"

#include <gtest/gtest.h>

namespace ringwise::knowledge {
namespace {

TEST(NcclVersion, IsReadFromItsUsualForms) {
  const NcclVersion expected{2, 28, 9};
  for (const char* text : {"2.28.9", "v2.28.9-1", "2.28.9+cuda13.0", "22809"}) {
    EXPECT_EQ(parse_nccl_version(text), expected) << text;
  }
  EXPECT_EQ(parse_nccl_version("2.28"), (NcclVersion{2, 28, 0}));
  EXPECT_EQ(parse_nccl_version("2804"), (NcclVersion{2, 8, 4}));
}

TEST(NcclVersion, RefusesWhatIsNoVersion) {
  for (const char* text :
       {"", "v", "2.", "2.x", "2.28.9.1", "two", "-2.1", "2 28", "7", "99999999", "0.1"}) {
    EXPECT_FALSE(parse_nccl_version(text)) << text;
  }
}

TEST(NcclVersion, ComparesByNumber) {
  EXPECT_LT((NcclVersion{2, 9, 9}), (NcclVersion{2, 10, 3}));
  EXPECT_LT((NcclVersion{2, 28, 3}), (NcclVersion{2, 28, 9}));
  EXPECT_EQ(to_text({2, 28, 9}), "2.28.9");
}

}  // namespace
}  // namespace ringwise::knowledge

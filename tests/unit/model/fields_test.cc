// The field tables name every member: a member added to a type and not to its table fails here.
#include "model/fields.h"

#include <cstddef>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

namespace ringwise::model {
namespace test {

/// Only asked whether it would fit: the conversion is never called, and has no body.
struct Anything {
  std::size_t place;
  template <typename T>
  operator T() const;
};

}  // namespace test

namespace {

using test::Anything;

template <typename T, std::size_t... Places>
consteval bool takes(std::index_sequence<Places...>) {
  return requires { T{Anything{Places}...}; };
}

/// Members of an aggregate: the most initialisers it takes.
template <typename T, std::size_t Count = 64>
consteval std::size_t member_count() {
  if constexpr (takes<T>(std::make_index_sequence<Count>{})) {
    return Count;
  } else {
    return member_count<T, Count - 1>();
  }
}

struct CountFields {
  std::size_t count = 0;
  template <typename T, typename... Traits>
  void operator()(std::string_view, const T&, Traits...) {
    ++count;
  }
};

template <typename T>
class FieldTables : public testing::Test {};

using Types =
    testing::Types<Address, Offloads, Interface, Gid, RdmaPort, RdmaDevice, PciDevice, Gpu, Limits,
                   NumaNode, Cpus, Memory, SharedMemory, Storage, TcpLimits, NcclLibrary,
                   PodNetwork, Host, Tool, Launch, Mode, Rank, SizeResult, PathMtu, PairResult,
                   PathProof, Result, Counter, Problem, RunRecord, StageReport, Advice>;
TYPED_TEST_SUITE(FieldTables, Types);

TYPED_TEST(FieldTables, NameEveryMember) {
  const TypeParam value;
  CountFields visit;
  fields(visit, value);
  EXPECT_EQ(visit.count, member_count<TypeParam>());
}

}  // namespace
}  // namespace ringwise::model

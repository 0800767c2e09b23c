// What rank 0 answers to a round of a stage.
#include "app/probe/referee.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/probe/stage_words.h"
#include "comm/relay.h"
#include "model/json.h"

namespace ringwise::app {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using Texts = std::vector<std::optional<std::string>>;

probe::StageSpec three_ranks() {
  probe::StageSpec spec;
  spec.probe = "tcp-pairs";
  spec.ranks = 3;
  spec.hosts = {"node1", "node2", "node3"};
  return spec;
}

std::string gathers(const std::string& text) {
  return kSaysGather + text;
}

std::string failed(const char* text, const char* sign) {
  model::Problem problem;
  problem.text = text;
  problem.sign = sign;
  return kSaysFailure + failure_text(problem);
}

std::string reported(const char* text, const char* sign) {
  model::StageReport report;
  model::Problem problem;
  problem.stage = "tcp-pairs";
  problem.rank = 0;
  problem.host = "node1";
  problem.text = text;
  problem.sign = sign;
  report.problems.push_back(problem);
  return kSaysReport + model::to_json_line(report);
}

TEST(Referee, PassesAnExchangeOn) {
  const auto spec = three_ranks();
  Referee referee(spec, false);
  EXPECT_EQ(referee.decide(Texts{gathers("a"), gathers("b"), gathers("c")}),
            kAnswersReply + comm::pack({"a", "b", "c"}));
}

TEST(Referee, EndsAStageThatNeedsEveryone) {
  const auto spec = three_ranks();
  Referee referee(spec, false);
  EXPECT_THAT(referee.decide(Texts{gathers("a"), failed("it died", "worker-ended"), gathers("c")}),
              kAnswersAbort + std::string("rank 1 (node2): it died"));
}

TEST(Referee, NamesTheCauseAndNotTheLowestRank) {
  const auto spec = three_ranks();
  Referee referee(spec, false);
  EXPECT_THAT(referee.decide(Texts{reported("closed by the peer", "closed"), gathers("b"),
                                   failed("it died", "worker-ended")}),
              HasSubstr("rank 2 (node3): it died"));
}

TEST(Referee, GoesOnAmongThoseThatAreLeft) {
  const auto spec = three_ranks();
  Referee referee(spec, true);
  const auto first =
      referee.decide(Texts{gathers("a"), failed("it died", "worker-ended"), gathers("c")});
  ASSERT_THAT(first, StartsWith(std::string(1, kAnswersPartial)));
  const auto present = comm::unpack_present(first.substr(1));
  ASSERT_EQ(present.size(), 3U);
  EXPECT_EQ(present[0], (comm::Contribution{"a", ""}));
  EXPECT_EQ(present[1], (comm::Contribution{"", "rank 1 (node2): it died"}));
  // It stays away, and a maximum is that of the others.
  const std::string away(1, kSaysDelivered);
  EXPECT_EQ(
      comm::unpack_present(referee.decide(Texts{gathers("x"), away, gathers("y")}).substr(1)),
      (std::vector<comm::Contribution>{{"x", ""}, {"", "rank 1 (node2): it died"}, {"y", ""}}));
  EXPECT_EQ(referee.decide(Texts{kSaysMax + std::string("-2"), away, kSaysMax + std::string("-3")}),
            kAnswersReply + std::string("-2"));
  EXPECT_EQ(referee.decide(Texts{reported("x", "closed"), away, away}),
            std::string(1, kAnswersEnd));
  EXPECT_FALSE(referee.is_lost());
}

TEST(Referee, ASilentSupervisorEndsTheStage) {
  const auto spec = three_ranks();
  Referee referee(spec, true);
  EXPECT_EQ(referee.decide(Texts{gathers("a"), std::nullopt, gathers("c")}),
            std::string(1, kAnswersEnd));
  EXPECT_THAT(referee.take_outcome().lost, testing::ElementsAre(1));
}

}  // namespace
}  // namespace ringwise::app

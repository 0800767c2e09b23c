// Findings for a person.
#include "report/diagnosis_text.h"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ringwise::report {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(DiagnosisText, SaysThatNothingWasFoundAndWhatIsNotKnown) {
  model::Diagnosis diagnosis;
  EXPECT_EQ(diagnosis_text(diagnosis), "Nothing was found.\n");
  diagnosis.unknown = {"packet sizes: run tcp-pairs"};
  EXPECT_THAT(diagnosis_text(diagnosis),
              AllOf(HasSubstr("Not decided\n"), HasSubstr("  - packet sizes: run tcp-pairs\n")));
}

TEST(DiagnosisText, ShowsEvidenceCureAndReasonWithoutControlCharacters) {
  model::Finding finding{.cause = "packet-loss",
                         .severity = model::Severity::kError,
                         .title = "node2\x1b[2J loses packets",
                         .why = "Every pair with node2 has it.",
                         .rule = "packet-loss"};
  for (int i = 0; i < 8; ++i) {
    finding.evidence.push_back({.file = "run.json", .text = "pairs[" + std::to_string(i) + "]"});
  }
  finding.evidence[0].line = 7;
  finding.settings = {{.name = "link", .value = "check the cable", .where = "fabric"},
                      {.name = "NCCL_X", .value = {}, .where = "env"},
                      {.name = "NCCL_Y", .where = "env", .measure = "ringwise-probe"}};
  const auto text = diagnosis_text({.findings = {finding}, .problems = {}, .unknown = {}});
  EXPECT_THAT(text,
              AllOf(HasSubstr("1 finding\n  error: node2\\x1b[2J loses packets "),
                    HasSubstr("seen     run.json:7: pairs[0]\n"), HasSubstr("and 2 lines more"),
                    HasSubstr("change   link: check the cable (fabric)\n"),
                    HasSubstr("NCCL_X: unset it (env)\n"),
                    HasSubstr("NCCL_Y: not known yet, measure with ringwise-probe (env)\n"),
                    HasSubstr("why      Every pair with node2 has it.\n"), Not(HasSubstr("\x1b"))));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

}  // namespace
}  // namespace ringwise::report

// Hostile text: what JsonReader takes and refuses is what another JSON library takes and refuses.
#include "model/json_reader.h"

#include <random>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "full_record.h"
#include "model/json.h"

namespace ringwise::model {
namespace {

bool is_json(std::string_view text) {
  JsonReader in(text);
  return in.skip() && in.at_end();
}

/// One byte replaced, left out, repeated, or the text cut.
std::string damaged(std::string text, std::mt19937_64& random) {
  static constexpr std::string_view kBytes = "{}[]\",:\\u0e-.+19tnf \n\x01\x7f\x80\xc3\xed\xf4\xff";
  if (text.empty()) return text;
  const std::size_t at = random() % text.size();
  switch (random() % 5) {
    case 0:
      return text.erase(at, 1);
    case 1:
      return text.insert(at, 1, text[random() % text.size()]);
    case 2:
      return text.substr(0, at);
    default:
      text[at] = kBytes[random() % kBytes.size()];
      return text;
  }
}

TEST(JsonReader, AgreesWithAnotherLibraryOnDamagedText) {
  const RunRecord full = test::full_record();
  const std::string whole = to_json_line(StageReport{full.results, full.counters, full.problems});
  std::mt19937_64 random(20260131);
  int taken = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = whole;
    const auto times = 1 + random() % 3;
    for (std::size_t k = 0; k < times; ++k) text = damaged(text, random);
    const bool is_good = nlohmann::json::accept(text);
    taken += is_good ? 1 : 0;
    ASSERT_EQ(is_json(text), is_good) << text;
  }
  EXPECT_GT(taken, 1000);
}

TEST(JsonReader, DamagedRecordsAreReadOrRefusedWithAPlace) {
  const std::string whole = to_json(test::full_record());
  std::mt19937_64 random(7);
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string text = damaged(whole, random);
    try {
      (void)record_from_json(text);
    } catch (const Error& error) {
      ++refused;
      const std::string_view what = error.what();
      ASSERT_TRUE(what.starts_with("line ") || what.starts_with("schema_version is")) << what;
    }
  }
  EXPECT_GT(refused, 1000);
}

TEST(JsonReader, TakesWhatTheGrammarAllows) {
  for (const std::string_view good :
       {"0", "-0", "1.5e-3", "1E+2", "\"\"", "[]", "{}", " [ 1 , 2 ] ", "{\"a\":{\"a\":null}}",
        R"("\ud83d\ude00\u0000\/\b")", "\"\xf0\x9f\x98\x80\"", "true", "\"\x7f\""}) {
    EXPECT_TRUE(is_json(good)) << good;
    EXPECT_TRUE(nlohmann::json::accept(good)) << good;
  }
  for (const std::string_view bad : {"",
                                     "01",
                                     "1.",
                                     ".5",
                                     "+1",
                                     "1e",
                                     "-",
                                     "[1,]",
                                     "{,}",
                                     "{\"a\"}",
                                     "{\"a\":}",
                                     "{a:1}",
                                     "[1 2]",
                                     "nul",
                                     "True",
                                     "\"\\x\"",
                                     R"("\ud83d")",
                                     R"("\ude00\ud83d")",
                                     R"("\u12g4")",
                                     "\"\xc0\x80\"",
                                     "\"\xed\xa0\x80\"",
                                     "\"\xf4\x90\x80\x80\"",
                                     "\"\xe0\x80\x80\"",
                                     "\"a\nb\"",
                                     "\"abc",
                                     "\"\\",
                                     "// x\n1",
                                     "1 1",
                                     "NaN",
                                     "Infinity",
                                     "1e999",
                                     "\"\\u12"}) {
    EXPECT_FALSE(is_json(bad)) << bad;
    EXPECT_FALSE(nlohmann::json::accept(bad)) << bad;
  }
}

TEST(JsonReader, DecodesEscapes) {
  JsonReader in(R"("a\ud83d\ude00\u00e4\u20ac\n\"")");
  std::string text;
  ASSERT_TRUE(in.read(text));
  EXPECT_EQ(text, "a\xf0\x9f\x98\x80\xc3\xa4\xe2\x82\xac\n\"");
}

}  // namespace
}  // namespace ringwise::model

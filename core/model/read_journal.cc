// Journal text to Journal: line by line, and tolerant of what a broken run leaves.
#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "base/units.h"
#include "model/journal.h"
#include "model/journal_fields.h"
#include "model/json.h"
#include "model/json_value.h"

namespace ringwise::model {
namespace {

/// The text of "event" at the top of the line, or the error that kept it from being read.
std::optional<ReadError> read_event(std::string_view line, std::string& event) {
  JsonReader in(line);
  std::string_view key;
  if (!in.begin_object()) return in.error();
  for (bool is_first = true; in.next_key(is_first, key); is_first = false) {
    const bool is_event = key == "event";
    if (!(is_event ? in.read(event) : in.skip())) return in.error();
    if (is_event) return std::nullopt;
  }
  if (!in.has_failed()) in.fail(0, "there is no \"event\" here");
  return in.error();
}

class JournalReader {
 public:
  explicit JournalReader(std::string_view source) : source_(source) {}

  /// Nothing when the line is part of a journal, or why it is not.
  std::optional<ReadError> take(std::string_view line) {
    std::string event;
    if (auto error = read_event(line, event)) return error;
    using Handler = std::optional<ReadError> (JournalReader::*)(std::string_view);
    struct Row {
      std::string_view event;
      Handler handler;
    };
    static constexpr Row kRows[] = {
        {kEventName<JournalBegin>, &JournalReader::parse<JournalBegin>},
        {kEventName<JournalStageBegin>, &JournalReader::parse<JournalStageBegin>},
        {kEventName<JournalStep>, &JournalReader::parse<JournalStep>},
        {kEventName<JournalStage>, &JournalReader::parse<JournalStage>},
        {kEventName<JournalProblem>, &JournalReader::parse<JournalProblem>},
        {kEventName<JournalSignal>, &JournalReader::parse<JournalSignal>},
        {kEventName<JournalEnd>, &JournalReader::parse<JournalEnd>},
    };
    for (const Row& row : kRows) {
      if (row.event == event) return (this->*row.handler)(line);
    }
    return std::nullopt;
  }

  void note(std::size_t line_number, const ReadError& error) {
    if (!has_begun_) {
      if (first_error_.empty()) first_error_ = describe(line_number, error);
      return;
    }
    journal_.notes.push_back(describe(line_number, error));
  }

  void note_truncated() {
    if (has_begun_) journal_.is_truncated = true;
  }

  [[nodiscard]] Journal finish() {
    if (has_begun_) return std::move(journal_);
    throw Error(ErrorKind::kUsage,
                fmt::format("{}{}not a journal: no {{\"event\":\"begin\",...}} in it{}{}",
                            base::printable(source_), source_.empty() ? "" : ": ",
                            first_error_.empty() ? "" : "; ", first_error_));
  }

 private:
  static std::string describe(std::size_t line_number, const ReadError& error) {
    return fmt::format("line {}, column {}: {}{}{}", line_number, error.column,
                       base::printable(error.path), error.path.empty() ? "" : ": ", error.text);
  }

  template <typename Line>
  std::optional<ReadError> parse(std::string_view text) {
    Line line;
    if constexpr (std::is_same_v<Line, JournalBegin>) check_schema_version(text, source_);
    if (auto error = parse_value(text, line)) return error;
    if constexpr (!std::is_same_v<Line, JournalBegin>) {
      if (!has_begun_) return ReadError{1, 1, "", "there is no \"begin\" before this line"};
    }
    apply(std::move(line));
    return std::nullopt;
  }

  void apply(JournalBegin line) {
    journal_ = {};
    journal_.begin = std::move(line);
    has_begun_ = true;
  }
  void apply(JournalStageBegin line) {
    journal_.stages.push_back({std::move(line.stage), std::nullopt, std::nullopt});
  }
  void apply(JournalStep line) { open_stage(line.stage).step = std::move(line.step); }
  void apply(JournalStage line) { open_stage(line.stage).outcome = std::move(line); }
  void apply(JournalProblem line) { journal_.problems.push_back(std::move(line.problem)); }
  void apply(JournalSignal line) { journal_.signal = std::move(line); }
  void apply(JournalEnd line) { journal_.ended = std::move(line.at); }

  /// The stage of that name that has not ended; a new one when its begin was lost.
  Journal::Stage& open_stage(const std::string& name) {
    const auto open = std::find_if(
        journal_.stages.rbegin(), journal_.stages.rend(),
        [&](const Journal::Stage& stage) { return stage.stage == name && !stage.outcome; });
    if (open != journal_.stages.rend()) return *open;
    return journal_.stages.emplace_back(Journal::Stage{name, std::nullopt, std::nullopt});
  }

  std::string_view source_;
  Journal journal_;
  bool has_begun_ = false;
  std::string first_error_;
};

}  // namespace

Journal read_journal(std::string_view text, std::string_view source) {
  JournalReader reader(source);
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto end = text.find('\n');
    const bool is_cut = end == std::string_view::npos;
    const std::string_view line = base::trim(text.substr(0, end));
    text.remove_prefix(is_cut ? text.size() : end + 1);
    if (line.empty()) continue;
    if (const auto error = reader.take(line)) {
      is_cut ? reader.note_truncated() : reader.note(number, *error);
    }
  }
  return reader.finish();
}

}  // namespace ringwise::model

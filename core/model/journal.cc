#include "model/journal.h"

#include <fcntl.h>

#include <cerrno>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "model/journal_fields.h"
#include "model/json_value.h"

namespace ringwise::model {
namespace {

/// The object of `line` with "event" as its first key.
template <typename Line>
std::string event_line(const Line& line) {
  JsonWriter out(JsonLayout::kOneLine);
  out.begin_object();
  out.key("event");
  out.string(kEventName<Line>);
  WriteFields write{out};
  fields(write, line);
  out.end_object();
  return out.take();
}

base::FileDescriptor open_journal(const std::filesystem::path& path) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC;
  base::FileDescriptor fd(::open(path.c_str(), kFlags, 0644));
  if (fd.is_open()) return fd;
  throw Error(ErrorKind::kUsage,
              fmt::format("cannot write {}: {}", path.string(), base::errno_text(errno)));
}

}  // namespace

std::string to_json_line(const JournalBegin& line) {
  return event_line(line);
}
std::string to_json_line(const JournalStageBegin& line) {
  return event_line(line);
}
std::string to_json_line(const JournalStep& line) {
  return event_line(line);
}
std::string to_json_line(const JournalStage& line) {
  return event_line(line);
}
std::string to_json_line(const JournalProblem& line) {
  return event_line(line);
}
std::string to_json_line(const JournalSignal& line) {
  return event_line(line);
}
std::string to_json_line(const JournalEnd& line) {
  return event_line(line);
}

std::filesystem::path journal_path(const std::filesystem::path& output, int rank) {
  return fmt::format("{}.rank{}.journal", output.string(), rank);
}

JournalWriter::JournalWriter(const std::filesystem::path& path)
    : path_(path), fd_(open_journal(path)) {}

void JournalWriter::append(std::string_view line) const {
  std::string text;
  text.reserve(line.size() + 1);
  text.append(line).append("\n");
  base::write_all(fd_.get(), text, path_);
}

}  // namespace ringwise::model

#include "model/read_run.h"

#include <algorithm>
#include <map>
#include <system_error>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/units.h"
#include "model/json.h"
#include "model/json_reader.h"

namespace ringwise::model {
namespace {

namespace fs = std::filesystem;

/// Larger files are refused rather than filling the memory: 65,536 nodes need about half of it.
constexpr std::size_t kLargest = std::size_t{2} << 30U;
constexpr std::string_view kJournalEnd = ".journal";

[[noreturn]] void refuse(const fs::path& path, std::string_view why) {
  throw Error(ErrorKind::kUsage, fmt::format("{}: {}", base::printable(path.string()), why));
}

std::string read_file(const fs::path& path) {
  auto text = base::read_input(path, {.limit = kLargest});
  if (text.size() == kLargest) refuse(path, "larger than 2 GiB");
  if (base::trim(std::string_view(text).substr(0, 4096)).empty() && base::trim(text).empty()) {
    refuse(path, "empty file");
  }
  return text;
}

/// "run.json" of "run.json.rank3.journal"; empty when the name is none of a journal.
std::string run_of_journal(const fs::path& path) {
  const std::string name = path.filename().string();
  if (!name.ends_with(kJournalEnd)) return {};
  const auto rank = name.rfind(".rank");
  if (rank == std::string::npos) return {};
  const auto digits =
      std::string_view(name).substr(rank + 5, name.size() - rank - 5 - kJournalEnd.size());
  return base::parse_int(digits) ? name.substr(0, rank) : std::string{};
}

/// The journals in `directory` by the run that they are of.
std::map<std::string, std::vector<fs::path>> journals_in(const fs::path& directory) {
  std::map<std::string, std::vector<fs::path>> runs;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string run = run_of_journal(entry->path());
    if (!run.empty()) runs[run].push_back(entry->path());
  }
  if (error) refuse(directory, error.message());
  for (auto& [run, paths] : runs) std::sort(paths.begin(), paths.end());
  return runs;
}

std::vector<fs::path> files_in(const fs::path& directory) {
  std::error_code error;
  if (fs::exists(directory / "run.json", error)) return {directory / "run.json"};
  auto runs = journals_in(directory);
  if (runs.empty()) refuse(directory, "neither run.json nor journals in this directory");
  if (runs.size() > 1) {
    std::vector<std::string> names;
    names.reserve(runs.size());
    for (const auto& [run, paths] : runs) names.push_back(run);
    refuse(directory, fmt::format("journals of several runs in this directory, name one: {}",
                                  base::join(names, ", ")));
  }
  return std::move(runs.begin()->second);
}

std::vector<fs::path> journals_beside(const fs::path& record) {
  const fs::path directory = record.has_parent_path() ? record.parent_path() : fs::path(".");
  std::error_code error;
  if (fs::is_directory(directory, error)) {
    auto runs = journals_in(directory);
    const auto found = runs.find(record.filename().string());
    if (found != runs.end()) return std::move(found->second);
  }
  refuse(record, "no such file (and no journals beside it)");
}

std::vector<fs::path> files_of(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) return files_in(path);
  if (status.type() == fs::file_type::not_found) return journals_beside(path);
  return {path};
}

bool is_journal(const fs::path& path, std::string_view text) {
  if (!run_of_journal(path).empty()) return true;
  JsonReader in(text);
  std::string_view key;
  return in.begin_object() && in.next_key(true, key) && key == "event";
}

/// A rank that was killed before its first line was on disk has left as good as no journal.
bool has_a_line(std::string_view text) {
  return text.find('\n') != std::string_view::npos;
}

}  // namespace

RunRecord read_run(std::span<const fs::path> paths, const MergeReports& merge) {
  std::vector<Journal> journals;
  std::vector<fs::path> files;
  for (const fs::path& path : paths) {
    auto found = files_of(path);
    std::move(found.begin(), found.end(), std::back_inserter(files));
  }
  for (const fs::path& file : files) {
    const bool is_one_of_many = files.size() > 1;
    std::error_code error;
    if (is_one_of_many && fs::file_size(file, error) == 0 && !error) continue;
    const std::string text = read_file(file);
    if (!is_journal(file, text)) {
      if (is_one_of_many) refuse(file, "not a journal, and a run has only one record");
      return record_from_json(text, file.string());
    }
    if (is_one_of_many && !has_a_line(text)) continue;
    journals.push_back(read_journal(text, file.string()));
  }
  if (journals.empty()) {
    throw Error(ErrorKind::kUsage,
                files.empty() ? "no run was named"
                              : fmt::format("{}: the journals are empty", files.front().string()));
  }
  return record_from_journals(journals, merge);
}

RunRecord read_run(const fs::path& path, const MergeReports& merge) {
  return read_run(std::span(&path, 1), merge);
}

}  // namespace ringwise::model

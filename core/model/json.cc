#include "model/json.h"

#include <optional>

#include <fmt/format.h>

#include "base/error.h"
#include "base/units.h"
#include "model/json_value.h"

namespace ringwise::model {
namespace {

/// The file advice.json.
struct AdviceFile {
  std::string schema_version = kSchemaVersion;
  std::vector<Advice> advice;
};

void fields(auto& visit, Of<AdviceFile> auto& value) {
  visit("schema_version", value.schema_version, kNeeded);
  visit("advice", value.advice, kNeeded);
}

/// What `ringwise system` prints: a host, with the version and the mode beside its facts.
struct HostFile {
  std::string schema_version = kSchemaVersion;
  Host host;
  Mode mode;
};

void fields(auto& visit, Of<HostFile> auto& value) {
  visit("schema_version", value.schema_version, kNeeded);
  fields(visit, value.host);
  visit("mode", value.mode);
}

/// What `ringwise compare` prints.
struct ComparisonFile {
  std::string schema_version = kSchemaVersion;
  Comparison comparison;
};

void fields(auto& visit, Of<ComparisonFile> auto& value) {
  visit("schema_version", value.schema_version, kNeeded);
  fields(visit, value.comparison);
}

/// What `ringwise explain` prints.
struct DiagnosisFile {
  std::string schema_version = kSchemaVersion;
  Diagnosis diagnosis;
};

void fields(auto& visit, Of<DiagnosisFile> auto& value) {
  visit("schema_version", value.schema_version, kNeeded);
  fields(visit, value.diagnosis);
}

std::string_view major_of(std::string_view version) {
  return version.substr(0, version.find('.'));
}

/// The version of the object at the top, wherever it stands in it. Empty when there is none or the
/// text cannot be read that far: reading it all says what is wrong.
std::optional<std::string> schema_version_of(std::string_view text) {
  JsonReader in(text);
  if (!in.begin_object()) return std::nullopt;
  std::string_view key;
  std::string version;
  for (bool is_first = true; in.next_key(is_first, key); is_first = false) {
    if (key == "schema_version") return in.read(version) ? std::optional(version) : std::nullopt;
    if (!in.skip()) return std::nullopt;
  }
  return std::nullopt;
}

[[noreturn]] void refuse(std::string_view source, std::string_view why) {
  throw Error(ErrorKind::kUsage,
              fmt::format("{}{}{}", base::printable(source), source.empty() ? "" : ": ", why));
}

template <typename T>
T value_from(std::string_view text, std::string_view source = {}) {
  T value;
  if (const auto error = parse_value(text, value)) refuse(source, to_text(*error));
  return value;
}

/// The version before the rest: in another version the rest may mean something else.
template <typename T>
T versioned_from(std::string_view text, std::string_view source = {}) {
  check_schema_version(text, source);
  return value_from<T>(text, source);
}

}  // namespace

void check_schema_version(std::string_view text, std::string_view source) {
  const auto version = schema_version_of(text);
  const std::string_view ours = major_of(kSchemaVersion);
  if (!version || major_of(*version) == ours) return;
  refuse(source, fmt::format("schema_version is \"{}\": this ringwise reads version {} only",
                             base::printable(version->substr(0, 20)), ours));
}

std::string to_json(const RunRecord& record) {
  return format_value(record, JsonLayout::kIndented) + "\n";
}
std::string to_json(const Host& host) {
  return format_value(host, JsonLayout::kIndented) + "\n";
}
std::string to_json(const Host& host, const Mode& mode) {
  return format_value(HostFile{.host = host, .mode = mode}, JsonLayout::kIndented) + "\n";
}
std::string to_json(const Diagnosis& diagnosis) {
  return format_value(DiagnosisFile{.diagnosis = diagnosis}, JsonLayout::kIndented) + "\n";
}

std::string to_json(const Comparison& comparison) {
  return format_value(ComparisonFile{.comparison = comparison}, JsonLayout::kIndented) + "\n";
}

std::string to_json(const std::vector<Advice>& advice) {
  return format_value(AdviceFile{.advice = advice}, JsonLayout::kIndented) + "\n";
}

std::string to_json_line(const StageReport& report) {
  return format_value(report, JsonLayout::kOneLine);
}
std::string to_json_line(const Host& host) {
  return format_value(host, JsonLayout::kOneLine);
}
std::string to_json_line(const Launch& launch) {
  return format_value(launch, JsonLayout::kOneLine);
}
std::string to_json_line(const Rank& rank) {
  return format_value(rank, JsonLayout::kOneLine);
}

RunRecord record_from_json(std::string_view text, std::string_view source) {
  return versioned_from<RunRecord>(text, source);
}
std::vector<Advice> advice_from_json(std::string_view text) {
  return versioned_from<AdviceFile>(text).advice;
}
StageReport stage_report_from_json(std::string_view text) {
  return value_from<StageReport>(text);
}
Host host_from_json(std::string_view text) {
  return value_from<Host>(text);
}
Launch launch_from_json(std::string_view text) {
  return value_from<Launch>(text);
}
Rank rank_from_json(std::string_view text) {
  return value_from<Rank>(text);
}

}  // namespace ringwise::model

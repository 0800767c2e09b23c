// The JSON of the model types: text in, values out, and back. Keys and units: docs/formats.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/advice.h"
#include "model/comparison.h"
#include "model/finding.h"
#include "model/record.h"

namespace ringwise::model {

/// Whether a string can stand in a file of these formats unchanged.
[[nodiscard]] bool is_utf8(std::string_view text);

/// Indented JSON that ends with a line end. Absent values have no key, empty lists are [], NaN and
/// infinity are absent, bad UTF-8 becomes U+FFFD. Equal values give equal text.
[[nodiscard]] std::string to_json(const RunRecord& record);
[[nodiscard]] std::string to_json(const Host& host);
/// The host's keys with "schema_version" before and "mode" after them: what `ringwise system`
/// prints.
[[nodiscard]] std::string to_json(const Host& host, const Mode& mode);
/// {"schema_version": ..., "advice": [...]}: the file advice.json.
[[nodiscard]] std::string to_json(const std::vector<Advice>& advice);

/// {"schema_version": ..., then the comparison's keys}: what `ringwise compare` prints.
[[nodiscard]] std::string to_json(const Comparison& comparison);

/// {"schema_version": ..., "findings": [...], "problems": [...], "unknown": [...]}.
[[nodiscard]] std::string to_json(const Diagnosis& diagnosis);

/// One line without line end and blanks: what journals and worker messages carry.
[[nodiscard]] std::string to_json_line(const StageReport& report);
[[nodiscard]] std::string to_json_line(const Host& host);
[[nodiscard]] std::string to_json_line(const Launch& launch);
[[nodiscard]] std::string to_json_line(const Rank& rank);

/// These throw Error(kUsage) that says where the text is wrong and what was expected there:
/// "line 3, column 7: results[3].sizes[0].bytes: expected a whole number, found a string".
/// Unknown keys are skipped (a newer minor version adds some), null is as good as no key, of
/// repeated keys the last counts. Another major schema_version is refused.
/// `source` is put before the error when it is not empty: "run.json: line 3, ...".
[[nodiscard]] RunRecord record_from_json(std::string_view text, std::string_view source = {});
[[nodiscard]] std::vector<Advice> advice_from_json(std::string_view text);
[[nodiscard]] StageReport stage_report_from_json(std::string_view text);
[[nodiscard]] Host host_from_json(std::string_view text);
[[nodiscard]] Launch launch_from_json(std::string_view text);
[[nodiscard]] Rank rank_from_json(std::string_view text);

/// Throws Error(kUsage) when the object in `text` says that it is of another major version. A text
/// that says nothing, or cannot be read that far, passes: reading it tells what is wrong with it.
void check_schema_version(std::string_view text, std::string_view source = {});

}  // namespace ringwise::model

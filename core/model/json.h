// The JSON of the model types: text in, values out, and back. The DOM library stays in the .cc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/advice.h"
#include "model/record.h"

namespace ringwise::model {

/// The record as indented JSON, keys as docs/formats.md. Absent values have no key.
[[nodiscard]] std::string to_json(const RunRecord& record);
[[nodiscard]] std::string to_json(const Host& host);
[[nodiscard]] std::string to_json(const std::vector<Advice>& advice);

/// One line, no indentation: what journals and worker messages carry.
[[nodiscard]] std::string to_json_line(const StageReport& report);
[[nodiscard]] std::string to_json_line(const Host& host);
[[nodiscard]] std::string to_json_line(const Launch& launch);
[[nodiscard]] std::string to_json_line(const Rank& rank);

/// These throw Error(kUsage) that says where the text is wrong and what was expected there.
/// Unknown keys are ignored: a newer minor version adds some.
[[nodiscard]] RunRecord record_from_json(std::string_view text);
[[nodiscard]] StageReport stage_report_from_json(std::string_view text);
[[nodiscard]] Host host_from_json(std::string_view text);
[[nodiscard]] Launch launch_from_json(std::string_view text);
[[nodiscard]] Rank rank_from_json(std::string_view text);

}  // namespace ringwise::model

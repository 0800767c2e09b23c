// The JSON keys of the journal's lines. Private to core/model; see model/fields.h.
#pragma once

#include "model/fields.h"
#include "model/journal.h"

namespace ringwise::model {

inline void fields(auto& visit, Of<JournalBegin> auto& value) {
  visit("schema_version", value.schema_version, kNeeded);
  visit("tool", value.tool);
  visit("run", value.run);
  visit("started", value.started);
  visit("launch", value.launch, kNeeded);
  visit("rank", value.rank, kNeeded);
  visit("host", value.host, kNeeded);
  visit("mode", value.mode);
  visit("plan", value.plan);
}

inline void fields(auto& visit, Of<JournalStageBegin> auto& value) {
  visit("stage", value.stage, kNeeded);
  visit("at", value.at);
}

inline void fields(auto& visit, Of<JournalStep> auto& value) {
  visit("stage", value.stage, kNeeded);
  visit("step", value.step, kNeeded);
}

inline void fields(auto& visit, Of<JournalStage> auto& value) {
  visit("stage", value.stage, kNeeded);
  visit("status", value.status, kNeeded);
  visit("reason", value.reason);
  visit("report", value.report);
}

inline void fields(auto& visit, Of<JournalProblem> auto& value) {
  visit("problem", value.problem, kNeeded);
}

inline void fields(auto& visit, Of<JournalSignal> auto& value) {
  visit("signal", value.signal, kNeeded);
  visit("at", value.at);
}

inline void fields(auto& visit, Of<JournalEnd> auto& value) {
  visit("at", value.at);
}

/// The value of "event" in a line of this type.
template <typename Line>
inline constexpr const char* kEventName = nullptr;
template <>
inline constexpr const char* kEventName<JournalBegin> = "begin";
template <>
inline constexpr const char* kEventName<JournalStageBegin> = "stage-begin";
template <>
inline constexpr const char* kEventName<JournalStep> = "step";
template <>
inline constexpr const char* kEventName<JournalStage> = "stage";
template <>
inline constexpr const char* kEventName<JournalProblem> = "problem";
template <>
inline constexpr const char* kEventName<JournalSignal> = "signal";
template <>
inline constexpr const char* kEventName<JournalEnd> = "end";

}  // namespace ringwise::model

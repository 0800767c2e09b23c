#include "probe/stage_json.h"

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace ringwise::probe {
namespace {

using nlohmann::json;

template <typename T>
void take(const json& from, const char* key, T& value) {
  from.at(key).get_to(value);
}

template <typename T>
void take(const json& from, const char* key, std::optional<T>& value) {
  if (const auto found = from.find(key); found != from.end()) value = found->get<T>();
}

template <typename T>
void put(json& to, const char* key, const T& value) {
  to[key] = value;
}

template <typename T>
void put(json& to, const char* key, const std::optional<T>& value) {
  if (value) to[key] = *value;
}

/// One list of the members for both directions.
template <typename Spec, typename Visit>
void for_each_member(Spec& spec, Visit visit) {
  visit("probe", spec.probe);
  visit("rank", spec.rank);
  visit("ranks", spec.ranks);
  visit("hosts", spec.hosts);
  visit("token", spec.token);
  visit("seed", spec.seed);
  visit("sizes", spec.sizes);
  visit("channels", spec.channels);
  visit("threads", spec.threads);
  visit("sockets", spec.sockets);
  visit("first_block", spec.first_block);
  visit("blocks", spec.blocks);
  visit("interface", spec.interface);
  visit("each_interface", spec.each_interface);
  visit("mode", spec.mode);
  visit("settings_name", spec.settings_name);
  visit("settings", spec.settings);
  visit("budget_s", spec.budget_s);
  visit("timeout_s", spec.timeout_s);
  visit("stall_s", spec.stall_s);
  visit("on_busy_fabric", spec.on_busy_fabric);
  visit("corrupt", spec.corrupt);
}

}  // namespace

std::string to_json_line(const StageSpec& spec) {
  json object = json::object();
  for_each_member(spec, [&](const char* key, const auto& value) { put(object, key, value); });
  return object.dump();
}

StageSpec stage_spec_from_json(std::string_view text) {
  StageSpec spec;
  try {
    const json object = json::parse(text);
    for_each_member(spec, [&](const char* key, auto& value) { take(object, key, value); });
  } catch (const json::exception& error) {
    throw Error(ErrorKind::kInternal, std::string("the stage cannot be read: ") + error.what());
  }
  return spec;
}

}  // namespace ringwise::probe

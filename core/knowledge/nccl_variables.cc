#include "knowledge/nccl_variables.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "knowledge/embedded.h"

namespace ringwise::knowledge {
namespace {

using Json = nlohmann::json;

std::string text(const Json& row, const char* key) {
  return row.value(key, std::string());
}

NcclVersion version(const Json& row, const char* key) {
  const std::string written = row.at(key);
  const auto parsed = parse_nccl_version(written);
  if (!parsed) {
    throw Error(ErrorKind::kInternal, "nccl_variables.json: no version: '" + written + "'");
  }
  return *parsed;
}

Reading reading(const Json& row) {
  const std::string word = text(row, "reading");
  if (word == "integer") return Reading::kInteger;
  return word == "atoi" ? Reading::kAtoi : Reading::kText;
}

NcclVariable variable(const Json& row) {
  NcclVariable out;
  out.name = row.at("name");
  out.type = row.at("type");
  out.default_value = row.at("default");
  out.values = text(row, "values");
  out.effect = row.at("effect");
  out.area = row.at("area");
  out.use = row.at("use");
  out.since = version(row, "since");
  if (row.contains("removed")) out.removed = version(row, "removed");
  for (const auto& change : row.value("defaults", Json::array())) {
    out.defaults.push_back({version(change, "since"), change.at("default")});
  }
  out.reading = reading(row);
  out.bad_value = text(row, "bad_value");
  out.see_also = row.value("see", std::vector<std::string>());
  out.is_same_on_all_ranks = row.value("same_on_all_ranks", false);
  out.is_documented = row.value("documented", false);
  return out;
}

}  // namespace

bool exists_in(const NcclVariable& variable, const NcclVersion& version) {
  return variable.since <= version && (!variable.removed || version < *variable.removed);
}

std::string_view default_in(const NcclVariable& variable, const NcclVersion& version) {
  std::string_view value = variable.default_value;
  if (variable.defaults.empty()) return value;
  value = variable.defaults.front().value;
  for (const auto& change : variable.defaults) {
    if (change.since <= version) value = change.value;
  }
  return value;
}

NcclVariables NcclVariables::load() {
  std::vector<NcclVariable> variables;
  try {
    const auto file = Json::parse(nccl_variables_json());
    for (const auto& row : file.at("variables")) variables.push_back(variable(row));
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::kInternal, std::string("nccl_variables.json: ") + error.what());
  }
  std::sort(variables.begin(), variables.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return NcclVariables(std::move(variables));
}

const NcclVariable* NcclVariables::find(std::string_view name) const {
  const auto found = std::lower_bound(
      variables_.begin(), variables_.end(), name,
      [](const NcclVariable& one, std::string_view key) { return one.name < key; });
  return found == variables_.end() || found->name != name ? nullptr : &*found;
}

}  // namespace ringwise::knowledge

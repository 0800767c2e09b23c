#include "report/advice_text.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "base/units.h"
#include "report/table.h"

namespace ringwise::report {
namespace {

using model::Advice;
using model::AdviceState;

std::string labelled(const char* name, const std::string& text) {
  if (text.empty()) return {};
  return fact(name, base::printable(text), 6, 7);
}

std::string setting(const Advice& advice) {
  auto name = base::printable(advice.name);
  if (!advice.value) return name;
  const bool is_env = advice.where == "env";
  return fmt::format("{}{}{}", name, is_env ? "=" : ": ", base::printable(*advice.value));
}

std::string factor(const Advice& advice) {
  if (!advice.factor) return {};
  auto text = fmt::format(", x {:.3f}", *advice.factor);
  if (advice.factor_low && advice.factor_high) {
    text += fmt::format(" ({:.3f} to {:.3f})", *advice.factor_low, *advice.factor_high);
  }
  return text;
}

std::string others(const Advice& advice) {
  std::string text;
  for (const auto& one : advice.alternatives) text += labelled("not", one);
  return text;
}

std::string full(const Advice& advice) {
  std::string text = "  " +
                     wrapped(fmt::format("{}   [{}{}]", setting(advice),
                                         model::to_text(advice.state), factor(advice)),
                             2, 6) +
                     "\n";
  for (const auto& [host, value] : advice.per_host) {
    text += fmt::format("      on {}: {}={}\n", base::printable(host), base::printable(advice.name),
                        base::printable(value));
  }
  text += labelled("why", advice.reason);
  text += labelled("cost", advice.cost.value_or(""));
  text += others(advice);
  text += labelled("NCCL", advice.nccl_versions == "all" ? "" : advice.nccl_versions);
  text += labelled("verify", advice.verify);
  return text + labelled("undo", advice.undo);
}

std::string brief(const Advice& advice) {
  return "  " + wrapped(setting(advice) + factor(advice), 2, 6) + "\n" +
         labelled("why", advice.reason) + others(advice);
}

using Pick = std::function<bool(const Advice&)>;

std::string section(const std::vector<Advice>& advice, const char* title, const Pick& pick,
                    std::string (*show)(const Advice&)) {
  std::string text;
  for (const auto& one : advice) {
    if (pick(one)) text += show(one);
  }
  return text.empty() ? text : fmt::format("\n{}\n{}", title, text);
}

Pick to_set(const char* where) {
  return [where](const Advice& advice) {
    return advice.where == where && advice.state != AdviceState::kUnset &&
           advice.state != AdviceState::kDropped;
  };
}

std::string lines(const char* title, const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  std::string text = fmt::format("\n{}\n", title);
  for (const auto& line : lines) text += "  " + wrapped(base::printable(line), 2, 6) + "\n";
  return text;
}

}  // namespace

std::string advice_text(const std::vector<Advice>& advice, const AdviceContext& context) {
  std::string text =
      "ringwise recommend: " + wrapped(base::printable(context.origin), 20, 2) + "\n";
  auto settings = section(advice, "Set (nccl.env, nccl.conf)", to_set("env"), full);
  text += settings.empty() ? "\nSet (nccl.env, nccl.conf)\n  nothing\n" : settings;
  text += section(advice, "Pod (pod.yaml, pod.patch.yaml)", to_set("pod"), full);
  text += section(advice, "Host", to_set("host"), full);
  text += section(advice, "Fabric", to_set("fabric"), full);
  const auto is_unset = [](const Advice& one) { return one.state == AdviceState::kUnset; };
  text += section(advice, "Leave unset", is_unset, brief);
  const auto is_dropped = [](const Advice& one) { return one.state == AdviceState::kDropped; };
  text += section(advice, "Dropped: tried, and not confirmed (in no file)", is_dropped, brief);
  text += lines("Not used", context.not_used);
  return text + lines("Files", context.files);
}

}  // namespace ringwise::report

#include "report/diagnosis_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/units.h"
#include "report/format.h"
#include "report/table.h"

namespace ringwise::report {
namespace {

/// Lines of evidence that are shown of one finding.
constexpr std::size_t kShown = 6;

std::string line(std::string_view name, const std::string& text) {
  return text.empty() ? std::string() : fact(name, base::printable(text), 4, 8);
}

std::string of_finding(const model::Finding& finding) {
  std::string text =
      "  " +
      wrapped(fmt::format("{}: {} [{}]", model::to_text(finding.severity),
                          base::printable(finding.title), base::printable(finding.cause)),
              2, 4) +
      "\n";
  for (std::size_t i = 0; i < std::min(kShown, finding.evidence.size()); ++i) {
    const auto& evidence = finding.evidence[i];
    const auto place =
        evidence.line ? fmt::format("{}:{}", evidence.file, *evidence.line) : evidence.file;
    text += line(i == 0 ? "seen" : "", place + ": " + evidence.text);
  }
  if (finding.evidence.size() > kShown) {
    text += line("", fmt::format("and {} more", count(finding.evidence.size() - kShown, "line")));
  }
  for (std::size_t i = 0; i < finding.settings.size(); ++i) {
    const auto& setting = finding.settings[i];
    const auto what = setting.measure ? "not known yet, measure with " + *setting.measure
                                      : setting.value.value_or("unset it");
    text +=
        line(i == 0 ? "change" : "", fmt::format("{}: {} ({})", setting.name, what, setting.where));
  }
  return text + line("why", finding.why);
}

}  // namespace

std::string diagnosis_text(const model::Diagnosis& diagnosis) {
  std::string text = fmt::format("{}\n", count(diagnosis.findings.size(), "finding"));
  if (diagnosis.findings.empty()) {
    text = diagnosis.unknown.empty() ? "Nothing was found.\n"
                                     : "No cause was found, and not everything was decided.\n";
  }
  for (const auto& finding : diagnosis.findings) text += of_finding(finding);
  if (!diagnosis.unknown.empty()) text += "\nNot decided\n";
  for (const auto& unknown : diagnosis.unknown) {
    text += "  - " + wrapped(base::printable(unknown), 4, 4) + "\n";
  }
  return text;
}

}  // namespace ringwise::report

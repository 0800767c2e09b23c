#include "report/json_renderer.h"

#include "model/json.h"

namespace ringwise::report {

std::string render_json(std::span<const NamedRecord> records, const RenderOptions& /*options*/) {
  if (records.size() == 1) return model::to_json(records.front().record);
  std::string text = "[\n";
  for (std::size_t i = 0; i < records.size(); ++i) {
    auto one = model::to_json(records[i].record);
    while (one.ends_with('\n')) one.pop_back();
    text += one + (i + 1 < records.size() ? ",\n" : "\n");
  }
  return text + "]\n";
}

}  // namespace ringwise::report

// The row "json" of the table of renderers.
#pragma once

#include <span>
#include <string>

#include "report/registry.h"

namespace ringwise::report {

[[nodiscard]] std::string render_json(std::span<const NamedRecord> records,
                                      const RenderOptions& options);

}  // namespace ringwise::report

// The data files that are compiled in, as JSON text. Private to core/knowledge.
#pragma once

#include <string_view>

namespace ringwise::knowledge {

[[nodiscard]] std::string_view nccl_variables_json();
[[nodiscard]] std::string_view causes_json();
[[nodiscard]] std::string_view links_json();

}  // namespace ringwise::knowledge

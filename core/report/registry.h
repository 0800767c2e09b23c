// Every format in which a run record can be shown.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/record.h"

namespace ringwise::report {

struct RenderOptions {
  bool has_colour = false;   ///< text only: a terminal that wants it
  bool is_detailed = false;  ///< text and md only: a table for every configuration of a sweep too
};

/// A record and the name of the file that it came from.
struct NamedRecord {
  std::string name;
  model::RunRecord record;
};

struct Renderer {
  std::string_view name;       ///< as --format takes it
  std::string_view extension;  ///< without the dot
  std::string_view help;       ///< one line
  /// All records in one text, in the order given; json gives an array when there are several. Equal
  /// records give equal text.
  std::string (*render)(std::span<const NamedRecord>, const RenderOptions&);
};

[[nodiscard]] std::span<const Renderer> renderers();
/// Null when there is none of that name.
[[nodiscard]] const Renderer* find_renderer(std::string_view name);

}  // namespace ringwise::report

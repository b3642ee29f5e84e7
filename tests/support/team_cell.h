#pragma once

#include "sdbench/base/plan/parallel_cells.h"

namespace sdbench::test {

/// A cell that cuda:0 and cuda:1 share the images of.
[[nodiscard]] inline Cell team_cell(std::int64_t images) {
  RunConfig config;
  config.model = "tiny-sd15";
  config.weights = "synthetic";
  Cell alone = resolve_cell(config, true);
  alone.device = "cuda:0";
  alone.images = images;
  return whole_of(alone, {"cuda:0", "cuda:1"}, kSharePrompts);
}

} // namespace sdbench::test

#pragma once

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/plan/cell.h"

namespace sdbench::test {

/// A cell of a tiny model that runs on the CPU within a second.
[[nodiscard]] inline Cell tiny_cell(const char* model = "tiny-sd15") {
  Cell cell;
  cell.model = find_model_config(model);
  cell.width = 64;
  cell.height = 64;
  cell.steps = 2;
  cell.dtype = Dtype::kF32;
  cell.device = "cpu";
  cell.guidance = cell.model.defaults.guidance;
  cell.prompts = {"a lake"};
  cell.timestep_spacing = cell.model.scheduler.timestep_spacing;
  cell.threads = 2;
  cell.warmup = 1;
  cell.repeat = 2;
  return cell;
}

} // namespace sdbench::test

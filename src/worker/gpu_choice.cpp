#include "sdbench/worker/gpu_choice.h"

#include "sdbench/core/engine.h"
#include "sdbench/core/error.h"

namespace sdbench {

GpuChoice choose_graphs(const Cell& cell, c10::Device device, const DtypeChoice& dtypes) {
  if (cell.graphs != "auto" && cell.graphs != "on" && cell.graphs != "off") {
    throw UsageError("--graphs must be auto, on or off, but is " + cell.graphs);
  }
  const bool automatic = cell.engine == kTunedEngine && device.is_cuda();
  if (cell.graphs == "off" || (cell.graphs == "auto" && !automatic)) {
    return {};
  }
  if (!device.is_cuda()) {
    return {.used = false, .obstacle = "graphs are for a GPU"};
  }
  if (cell.offload != "none") {
    return {.used = false,
            .obstacle = "with --offload the weights are at another place in each run"};
  }
  if (dtypes.unet.autocast) {
    return {.used = false, .obstacle = "autocast makes its copies of the weights anew in each run"};
  }
  return {.used = true, .obstacle = {}};
}

} // namespace sdbench

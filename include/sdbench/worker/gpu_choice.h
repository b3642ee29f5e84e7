#pragma once

#include <string>

#include <c10/core/Device.h>

#include "sdbench/plan/cell.h"
#include "sdbench/worker/dtype_choice.h"

namespace sdbench {

/// Whether something is done, and why not where it was to be.
struct GpuChoice {
  bool used = false;
  std::string obstacle; ///< one line; empty if it is done, or was not to be
};

/// CUDA graphs of the UNet's calls: the tuned engine's on a GPU, unless the weights change their
/// place from run to run. Throws UsageError for a name that is none.
[[nodiscard]] GpuChoice choose_graphs(const Cell& cell, c10::Device device,
                                      const DtypeChoice& dtypes);

} // namespace sdbench

#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

#include "sdbench/pipeline/pipeline_options.h"
#include "sdbench/plan/cell.h"
#include "sdbench/worker/dtype_choice.h"

namespace sdbench {

/// Whether something is done, and why not where it was to be.
struct GpuChoice {
  bool used = false;
  std::string obstacle; ///< one line; empty if it is done, or was not to be
};

/// What becomes a CUDA graph, and why it is less than was asked for.
struct GraphsChoice {
  Graphs used = Graphs::kNone;
  std::string obstacle; ///< one line; empty if that was asked for
};

/// What only a GPU has.
struct GpuChoices {
  GpuChoice kernels;   ///< as choose_gpu_kernels() answers
  GraphsChoice graphs; ///< as choose_graphs() answers
};

/// CUDA graphs of the UNet's calls (the tuned engine's on a GPU) or of the loop, unless the weights
/// change their place from run to run. Throws UsageError for a name that is none.
[[nodiscard]] GraphsChoice choose_graphs(const Cell& cell, c10::Device device,
                                         const DtypeChoice& dtypes);
/// As records have it: "off", "on" or "loop".
[[nodiscard]] std::string_view name_of(Graphs graphs);

/// Gets kernels of our own ready for a device and dtype, or throws why that cannot be.
using KernelProbe = std::function<void(c10::Device, c10::ScalarType)>;
/// gpu_kernels_for(), which compiles them at the first time.
void make_kernels_ready(c10::Device device, c10::ScalarType dtype);

/// Kernels of our own in UNet, VAE and the steps: the tuned engine's on a GPU for which `probe`
/// gets them ready, in the UNet's and the VAE's dtype. Throws UsageError for a name that is none.
[[nodiscard]] GpuChoice choose_gpu_kernels(const Cell& cell, c10::Device device,
                                           const DtypeChoice& dtypes,
                                           const KernelProbe& probe = make_kernels_ready);

} // namespace sdbench

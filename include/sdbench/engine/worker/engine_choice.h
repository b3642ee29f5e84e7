#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

#include "sdbench/base/plan/cell.h"
#include "sdbench/engine/pipeline/pipeline_options.h"
#include "sdbench/engine/worker/dtype_choice.h"

namespace sdbench {

/// Tells if our own kernels compute; if they should but cannot, gives the reason.
struct KernelsChoice {
  bool used = false;
  std::string obstacle; ///< one line; empty if they do, or were not to
};

/// The part that becomes a CUDA graph, and the reason if that is less than was asked for.
struct GraphsChoice {
  Graphs used = Graphs::kNone;
  std::string obstacle; ///< one line; empty if that was asked for
};

/// The choices that depend on the device.
struct EngineChoices {
  KernelsChoice kernels; ///< as choose_kernels() answers
  GraphsChoice graphs;   ///< as choose_graphs() answers
};

/// CUDA graphs of the UNet's calls (the tuned engine's on a GPU) or of the loop, unless the weights
/// change their place from run to run.
[[nodiscard]] GraphsChoice choose_graphs(const Cell& cell, c10::Device device,
                                         const DtypeChoice& dtypes);
/// As records have it: "off", "on" or "loop".
[[nodiscard]] std::string_view name_of(Graphs graphs);

/// Gets kernels of our own ready for a device and dtype, or throws why that cannot be.
using KernelProbe = std::function<void(c10::Device, c10::ScalarType)>;
/// On a GPU gpu_kernels_for(), which compiles them at the first time; a CPU must have the
/// instructions.
void make_kernels_ready(c10::Device device, c10::ScalarType dtype);

/// Why a CPU has no kernels of our own in `dtype`, in one line: the processor lacks the
/// instructions, or ATEN_CPU_CAPABILITY forbids them.
[[nodiscard]] std::string no_instructions_text(c10::ScalarType dtype);

/// Kernels of our own in UNet and VAE, on a GPU in the steps, too: the tuned engine's where `probe`
/// gets them ready in the UNet's and the VAE's dtype.
[[nodiscard]] KernelsChoice choose_kernels(const Cell& cell, c10::Device device,
                                           const DtypeChoice& dtypes,
                                           const KernelProbe& probe = make_kernels_ready);

} // namespace sdbench

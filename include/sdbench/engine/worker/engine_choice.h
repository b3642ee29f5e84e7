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
  std::string obstacle; ///< one line; empty if they compute or were not requested
};

/// The part that becomes a CUDA graph, and the reason if that is less than requested.
struct GraphsChoice {
  Graphs used = Graphs::kNone;
  std::string obstacle; ///< one line; empty if the request is fulfilled
};

/// The choices that depend on the device.
struct EngineChoices {
  KernelsChoice kernels; ///< result of choose_kernels()
  GraphsChoice graphs;   ///< result of choose_graphs()
};

/// CUDA graphs of the UNet's calls (default of the tuned engine on a GPU) or of the loop. No graphs
/// if the weights move between runs.
[[nodiscard]] GraphsChoice choose_graphs(const Cell& cell, c10::Device device,
                                         const DtypeChoice& dtypes);
/// Its name in records: "off", "on" or "loop".
[[nodiscard]] std::string_view name_of(Graphs graphs);

/// Prepares our own kernels for a device and dtype, or throws the reason why that is impossible.
using KernelProbe = std::function<void(c10::Device, c10::ScalarType)>;
/// On a GPU calls gpu_kernels_for(), which compiles them at the first call. A CPU must have the
/// instructions.
void make_kernels_ready(c10::Device device, c10::ScalarType dtype);

/// Why a CPU has none of our own kernels in `dtype`, in one line: the processor lacks the
/// instructions, or ATEN_CPU_CAPABILITY forbids them.
[[nodiscard]] std::string no_instructions_text(c10::ScalarType dtype);

/// Our own kernels in UNet and VAE, on a GPU also in the steps. The tuned engine uses them if
/// `probe` can prepare them in the UNet's and the VAE's dtype.
[[nodiscard]] KernelsChoice choose_kernels(const Cell& cell, c10::Device device,
                                           const DtypeChoice& dtypes,
                                           const KernelProbe& probe = make_kernels_ready);

} // namespace sdbench

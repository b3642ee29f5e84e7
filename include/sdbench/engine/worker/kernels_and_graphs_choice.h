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

/// Whether our own kernels are used. Also the reason if they are wanted but cannot be used.
struct KernelsChoice {
  bool used = false;
  std::string obstacle; ///< one line; empty if the kernels are used or not wanted
};

/// Which part of a run becomes a CUDA graph, and the reason if that is less than requested.
struct GraphsChoice {
  Graphs used = Graphs::kNone;
  std::string obstacle; ///< one line; empty if the request is fulfilled
};

/// The choices that depend on the device.
struct EngineChoices {
  KernelsChoice kernels; ///< result of choose_kernels()
  GraphsChoice graphs;   ///< result of choose_graphs()
};

/// Chooses what becomes a CUDA graph: each UNet call (the tuned engine's default on a GPU), the
/// whole denoising loop, or nothing. Chooses no graph if the weights' addresses change from run to
/// run, as with offload or autocast.
[[nodiscard]] GraphsChoice choose_graphs(const Cell& cell, c10::Device device,
                                         const DtypeChoice& dtypes);
/// The name of `graphs` in records: "off", "on" or "loop".
[[nodiscard]] std::string_view name_of(Graphs graphs);

/// Prepares our own kernels for a device and dtype, or throws the reason why that is impossible.
using KernelProbe = std::function<void(c10::Device, c10::ScalarType)>;
/// The default KernelProbe. On a GPU, calls gpu_kernels_for(), which compiles the kernels at the
/// first call. On a CPU, throws Error if the kernels' instructions are missing or forbidden.
void make_kernels_ready(c10::Device device, c10::ScalarType dtype);

/// Why our own kernels cannot run on this CPU in `dtype`, in one line: the processor lacks the
/// instructions, or ATEN_CPU_CAPABILITY forbids them.
[[nodiscard]] std::string no_instructions_text(c10::ScalarType dtype);

/// Decides whether UNet and VAE, and on a GPU also DenoisingStep, use our own kernels. These
/// kernels are used if the cell asks for them, as the tuned engine does by default, and if `probe`
/// can prepare them in the UNet's and the VAE's dtype. They are not used if the UNet uses autocast.
[[nodiscard]] KernelsChoice choose_kernels(const Cell& cell, c10::Device device,
                                           const DtypeChoice& dtypes,
                                           const KernelProbe& probe = make_kernels_ready);

} // namespace sdbench

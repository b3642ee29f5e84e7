#include "sdbench/engine/worker/kernels_and_graphs_choice.h"

#include <exception>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/errors/message_of.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/own_engines.h"
#include "sdbench/engine/kernels/cpu_instructions.h"
#include "sdbench/engine/kernels/gpu_kernels.h"
#include "sdbench/engine/nn/scalar_type.h"

namespace sdbench {

GraphsChoice choose_graphs(const Cell& cell, c10::Device device, const DtypeChoice& dtypes) {
  const std::string& asked = cell.graphs;
  const bool automatic = cell.engine == kTunedEngine && device.is_cuda();
  if (asked == "off" || (asked == "auto" && !automatic)) {
    return {};
  }
  if (!device.is_cuda()) {
    return {.obstacle = "graphs are for a GPU"};
  }
  if (cell.offload != "none") {
    return {.obstacle = "with --offload the weights are at another address in each run"};
  }
  if (dtypes.unet.autocast) {
    return {.obstacle = "autocast copies the weights again in each run"};
  }
  if (asked == "loop" && !cell.dump_run.empty()) {
    return {.used = Graphs::kStep,
            .obstacle = "a graph of the loop cannot keep each step's latents for a dump"};
  }
  return {.used = asked == "loop" ? Graphs::kLoop : Graphs::kStep, .obstacle = {}};
}

std::string_view name_of(Graphs graphs) {
  return graphs == Graphs::kNone ? "off" : graphs == Graphs::kStep ? "on" : "loop";
}

std::string no_instructions_text(c10::ScalarType dtype) {
  const std::string limit = limit_on(dtype);
  std::string names;
  for (const CpuInstructions each : {CpuInstructions::kAvx2, CpuInstructions::kAvx512,
                                     CpuInstructions::kAvx512Bf16, CpuInstructions::kAmx}) {
    if (dtype_of(each) == dtype) {
      names.append(names.empty() ? " (" : ", ").append(name_of(each));
    }
  }
  names += names.empty() ? "" : ")";
  return (limit.empty() ? "this processor has" : limit + " leaves") +
         " none of the instructions with which sdbench's kernels compute in " +
         std::string(name_of(to_dtype(dtype))) + names;
}

void make_kernels_ready(c10::Device device, c10::ScalarType dtype) {
  if (device.is_cuda()) {
    static_cast<void>(gpu_kernels_for(device, dtype));
  } else if (!cpu_instructions(dtype)) {
    throw Error(no_instructions_text(dtype));
  }
}

KernelsChoice choose_kernels(const Cell& cell, c10::Device device, const DtypeChoice& dtypes,
                             const KernelProbe& probe) {
  if (cell.kernels == "aten" || (cell.kernels == "auto" && cell.engine != kTunedEngine)) {
    return {};
  }
  if (dtypes.unet.autocast) {
    return {.obstacle = "under autocast libtorch chooses the dtype of each operator"};
  }
  try {
    probe(device, to_scalar_type(dtypes.unet.dtype));
    if (!dtypes.vae.autocast) {
      probe(device, to_scalar_type(dtypes.vae.dtype));
    }
  } catch (const std::exception& error) { // of a driver, a compiler or ours: ATen's kernels remain
    return {.obstacle = first_line_of(error)};
  }
  return {.used = true, .obstacle = {}};
}

} // namespace sdbench

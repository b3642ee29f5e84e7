#pragma once

#include <string>
#include <vector>

#include "sdbench/base/device/device_info.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/engine/pipeline/pipeline_options.h"
#include "sdbench/engine/worker/dtype_choice.h"
#include "sdbench/engine/worker/engine_choice.h"

namespace sdbench {

/// The order of images. "auto" is what the engine is fastest with; of the yardstick diffusers' and
/// torchvision's own default. `gpu_keeps_it`: whether a GPU's operators leave them channels-last,
/// which ATen's group norm does not.
[[nodiscard]] at::MemoryFormat memory_format_of(const Cell& cell, c10::Device device,
                                                const DeviceInfo& info, Dtype dtype,
                                                bool gpu_keeps_it);

/// All that building the cell's pipeline depends on, besides model and weights. The cell's axes
/// must be choices of engine_axes(): plan_cell has checked them.
[[nodiscard]] PipelineOptions pipeline_options(const Cell& cell, c10::Device device,
                                               const DeviceInfo& info, const DtypeChoice& dtypes,
                                               const EngineChoices& choices = {});

/// Fills in what `result` says of how the engine computes, as far as the options tell: all of it
/// but the attention, which is the model's.
void record_engine(const Cell& cell, const PipelineOptions& options, const DtypeChoice& dtypes,
                   const EngineChoices& choices, CellResult& result);

/// Of the UNet: off, onednn, or the instructions that our kernels are in.
[[nodiscard]] std::string packed_weights_used(const PipelineOptions& options);

/// Sets libtorch's switches for this cell, TF32 and cuDNN's benchmark; they hold for the whole
/// process until they are set again.
void set_engine_switches(const Cell& cell, const DeviceInfo& device);

/// One line for each option that was asked for and changes nothing in this cell, and for what a GPU
/// was to do by itself (graphs, kernels) and cannot.
[[nodiscard]] std::vector<std::string> options_without_effect(const Cell& cell,
                                                              const CellResult& result);

} // namespace sdbench

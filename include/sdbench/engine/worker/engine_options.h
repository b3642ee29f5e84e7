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

/// The memory format of images. "auto" is the engine's fastest; for engine plain it is the default
/// of diffusers and torchvision. `gpu_keeps_it`: true if a GPU's operators keep images
/// channels-last, which ATen's group norm does not.
[[nodiscard]] at::MemoryFormat memory_format_of(const Cell& cell, c10::Device device,
                                                const DeviceInfo& info, Dtype dtype,
                                                bool gpu_keeps_it);

/// Everything on which building the cell's pipeline depends, besides model and weights. plan_cell
/// must have checked that the cell's axes are choices of engine_axes().
[[nodiscard]] PipelineOptions pipeline_options(const Cell& cell, c10::Device device,
                                               const DeviceInfo& info, const DtypeChoice& dtypes,
                                               const EngineChoices& choices = {});

/// Fills in how the engine computes, as far as the options tell: everything except the attention,
/// which depends on the model.
void record_engine(const Cell& cell, const PipelineOptions& options, const DtypeChoice& dtypes,
                   const EngineChoices& choices, CellResult& result);

/// For the UNet: "off", "onednn", or the instructions of our kernels.
[[nodiscard]] std::string packed_weights_used(const PipelineOptions& options);

/// Sets libtorch's switches for this cell: TF32 and cuDNN's benchmark. They hold for the whole
/// process until they are set again.
void set_engine_switches(const Cell& cell, const DeviceInfo& device);

/// One line for each requested option that changes nothing in this cell, and for each default of a
/// GPU (graphs, kernels) that is impossible.
[[nodiscard]] std::vector<std::string> options_without_effect(const Cell& cell,
                                                              const CellResult& result);

} // namespace sdbench

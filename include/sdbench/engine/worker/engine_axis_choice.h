#pragma once

#include <string>
#include <vector>

#include "sdbench/base/device/device_info.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/engine/nn/packed_weights.h"
#include "sdbench/engine/pipeline/pipeline_options.h"
#include "sdbench/engine/worker/dtype_choice.h"
#include "sdbench/engine/worker/kernels_and_graphs_choice.h"

namespace sdbench {

/// The memory format of images. With "auto", the tuned engine gets the fastest format, and the
/// plain engine gets contiguous, the default of diffusers and torchvision. `gpu_keeps_it`: true if
/// all operators on a GPU keep the channels-last format, which ATen's group norm does not.
[[nodiscard]] at::MemoryFormat memory_format_of(const Cell& cell, c10::Device device,
                                                const DeviceInfo& info, Dtype dtype,
                                                bool gpu_keeps_it);

/// How weights of this precision are packed: as the cell asks; with "auto", in the form that is
/// fastest for its work. kNone if they cannot be packed.
[[nodiscard]] Packing packing_of(const Cell& cell, c10::Device device, const DeviceInfo& info,
                                 const Precision& precision);

/// The options with which the cell's pipeline is built from a model and its weights. The cell's
/// engine options must be valid choices of engine_axes(); plan_cell() checks that.
[[nodiscard]] PipelineOptions pipeline_options(const Cell& cell, c10::Device device,
                                               const DeviceInfo& info, const DtypeChoice& dtypes,
                                               const EngineChoices& choices = {});

/// The options of a cell of images, and why a requested kernel or graph is not used.
struct ChosenOptions {
  PipelineOptions options;
  EngineChoices choices;
};
/// Chooses kernels and graphs for the device, then the options. May compile our own kernels.
[[nodiscard]] ChosenOptions choose_pipeline_options(const Cell& cell, c10::Device device,
                                                    const DeviceInfo& info,
                                                    const DtypeChoice& dtypes);

/// Writes to `result` the engine options that the cell really uses, but not the attention kernel,
/// which also depends on the model.
void record_engine(const Cell& cell, const PipelineOptions& options, const DtypeChoice& dtypes,
                   const EngineChoices& choices, CellResult& result);

/// Sets the switches of the process for this cell: libtorch's TF32 and fp16 accumulation, cuDNN's
/// benchmark and the host allocator. The switches keep these values until the next call.
void set_engine_switches(const Cell& cell, const DeviceInfo& device);

/// One line for each requested option that this cell ignores or replaces by a different one. Also
/// one line if CUDA graphs or our own kernels are the default but cannot be used.
[[nodiscard]] std::vector<std::string> options_without_effect(const Cell& cell,
                                                              const CellResult& result);

} // namespace sdbench

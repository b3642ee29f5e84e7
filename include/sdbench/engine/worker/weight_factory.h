#pragma once

#include <functional>
#include <memory>
#include <string>

#include <c10/core/Device.h>

#include "sdbench/base/weights/locate.h"
#include "sdbench/engine/nn/loaded_weights.h"
#include "sdbench/engine/pipeline/pipeline_options.h"

namespace sdbench {

/// Weights from a checkpoint on disk, or synthetic ones. A component's pinned memory for the copy
/// to a GPU is freed before the next component takes its own. `found`, if given, receives the
/// content of a checkpoint's files, component by component.
[[nodiscard]] WeightSourceFactory
make_weight_factory(const WeightsLocation& location,
                    const std::shared_ptr<LoadedWeights>& found = nullptr);

/// A factory of the same weights that calls `done` with the device once a component is complete.
[[nodiscard]] WeightSourceFactory after_each_component(WeightSourceFactory weights,
                                                       std::function<void(c10::Device)> done);

/// Name for the record: "synthetic:SEED" or the checkpoint's identity.
[[nodiscard]] std::string identity_of(const WeightsLocation& location);

} // namespace sdbench

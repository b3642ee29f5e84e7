#pragma once

#include <functional>
#include <memory>
#include <string>

#include <c10/core/Device.h>

#include "sdbench/base/weights/locate.h"
#include "sdbench/engine/nn/loaded_weights.h"
#include "sdbench/engine/pipeline/pipeline_options.h"

namespace sdbench {

/// Weights from where they lie: a checkpoint on disk, or synthetic ones. The pinned memory that a
/// component took on its way to a GPU is given back before the next component takes its own.
/// `found`, if given, is told what a checkpoint's files held, component by component.
[[nodiscard]] WeightSourceFactory
make_weight_factory(const WeightsLocation& location,
                    const std::shared_ptr<LoadedWeights>& found = nullptr);

/// A factory of the same weights, which calls `done` with the device once a component is there
/// whole.
[[nodiscard]] WeightSourceFactory after_each_component(WeightSourceFactory weights,
                                                       std::function<void(c10::Device)> done);

/// For the record: "synthetic:SEED" or the checkpoint's identity.
[[nodiscard]] std::string identity_of(const WeightsLocation& location);

} // namespace sdbench

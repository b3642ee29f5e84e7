#pragma once

#include <functional>
#include <memory>
#include <string>

#include <c10/core/Device.h>

#include "sdbench/base/weights/locate.h"
#include "sdbench/engine/nn/loaded_weights.h"
#include "sdbench/engine/pipeline/pipeline_options.h"

namespace sdbench {

/// Makes a factory of layer sources from a checkpoint on disk, or of synthetic weights. The pinned
/// memory through which a component is copied to a GPU is freed before the next component is
/// copied. `found`, if given, receives what was read from a checkpoint's files, component by
/// component.
[[nodiscard]] LayerSourceFactory
make_layer_sources(const WeightsLocation& location,
                   const std::shared_ptr<LoadedWeights>& found = nullptr);

/// Wraps `weights` in a factory that calls done(device) each time a component is completely loaded.
[[nodiscard]] LayerSourceFactory after_each_component(LayerSourceFactory weights,
                                                      std::function<void(c10::Device)> done);

/// The weights' name in records: "synthetic:SEED" or the checkpoint's identity.
[[nodiscard]] std::string identity_of(const WeightsLocation& location);

} // namespace sdbench

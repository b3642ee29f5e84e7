#pragma once

#include <string>

#include "sdbench/pipeline/stable_diffusion.h"
#include "sdbench/weights/locate.h"

namespace sdbench {

/// Weights from where they lie: a checkpoint on disk, or synthetic ones.
[[nodiscard]] WeightSourceFactory make_weight_factory(const WeightsLocation& location);

/// For the record: "synthetic:SEED" or the checkpoint's identity.
[[nodiscard]] std::string identity_of(const WeightsLocation& location);

} // namespace sdbench

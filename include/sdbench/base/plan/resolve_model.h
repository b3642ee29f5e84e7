#pragma once

#include <map>
#include <string>
#include <utility>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/weights/locate.h"

namespace sdbench {

/// An architecture and the weights for it.
struct ResolvedModel {
  ModelConfig model;
  WeightsLocation weights;
};

/// Finds architecture and weights. `model`: --model, empty if the user named none and gave weights
/// (or SDBENCH_WEIGHTS names a checkpoint).
/// `weights`: --weights, or empty (look for them; a model folder that holds weights brings its
/// own).
/// - Weights alone decide the architecture: a diffusers folder by its own configs, a single file by
/// its keys.
/// - Weights in a diffusers folder are always read by the folder's own configs; a model named
/// beside them gives its name and defaults,
///   and must have the same UNet (UsageError). Beside a single file, a model given by its path
///   decides.
/// - The model named alone is looked for, and gets synthetic weights if there are none.
[[nodiscard]] ResolvedModel resolve_model(const std::string& model, const std::string& weights);

/// resolve_model for the many cells of a sweep: each pair is looked for once.
class ModelResolver {
public:
  [[nodiscard]] const ResolvedModel& resolve(const std::string& model, const std::string& weights);

private:
  std::map<std::pair<std::string, std::string>, ResolvedModel> known_;
};

} // namespace sdbench

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/dataset/locate_data.h"
#include "sdbench/base/weights/locate.h"

namespace sdbench {

/// An architecture and the weights for it.
struct ResolvedModel {
  ModelConfig model;
  WeightsLocation weights;
};

/// Finds architecture and weights. `model`: --model, empty if the user named none and gave weights
/// (or SDBENCH_WEIGHTS names a checkpoint). `weights`: --weights, or empty to search for them; a
/// model folder with weights uses its own.
/// - Without a model, the weights decide the architecture: a diffusers folder by its configs, a
///   single file by its keys.
/// - Weights in a diffusers folder are always read by the folder's own configs. A model named in
///   addition gives its name and defaults, and must have the same UNet (UsageError). With a single
///   file, a model given by its path decides.
/// - For a model named alone, weights are searched for; if there are none, it gets synthetic
///   weights.
[[nodiscard]] ResolvedModel resolve_model(const std::string& model, const std::string& weights);

/// Models and data sets on disk for the many cells of a sweep. Reads each only once.
class ModelResolver {
public:
  /// Same as resolve_model.
  [[nodiscard]] const ResolvedModel& resolve(const std::string& model, const std::string& weights);
  /// Number of images for training. Reads and checks all, because an incomplete CIFAR-10 has a
  /// shorter epoch. Throws the errors of load_dataset.
  [[nodiscard]] std::int64_t train_count(const DataLocation& data);

private:
  std::map<std::pair<std::string, std::string>, ResolvedModel> known_;
  std::map<std::filesystem::path, std::int64_t> train_counts_; ///< of folders
};

} // namespace sdbench

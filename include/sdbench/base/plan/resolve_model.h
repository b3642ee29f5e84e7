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

/// What the many cells of a sweep have on the disk, each looked at once.
class ModelResolver {
public:
  /// resolve_model.
  [[nodiscard]] const ResolvedModel& resolve(const std::string& model, const std::string& weights);
  /// Images to train with. All are read and checked: a part of CIFAR-10 is a shorter epoch. Throws
  /// what load_dataset throws.
  [[nodiscard]] std::int64_t train_count(const DataLocation& data);

private:
  std::map<std::pair<std::string, std::string>, ResolvedModel> known_;
  std::map<std::filesystem::path, std::int64_t> train_counts_; ///< of folders
};

} // namespace sdbench

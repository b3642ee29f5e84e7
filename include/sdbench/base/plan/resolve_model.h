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

/// A model's architecture and the location of its weights.
struct ResolvedModel {
  ModelConfig model;
  WeightsLocation weights;
};

/// Finds the architecture and the weights for the options --model and --weights. `model`: empty if
/// the user gave no --model, and gave weights instead (or SDBENCH_WEIGHTS names a checkpoint).
/// `weights`: if empty, weights are searched for, unless `model` is a folder that has weights.
/// - Without a model, the weights determine the architecture: a diffusers folder by its configs, a
/// single file by its tensor names.
/// - Weights in a diffusers folder are always read with the folder's own configs. If `model` is
/// given too, it supplies name and defaults, and must have the same UNet (else UsageError).
/// - For weights in a single file, `model` determines the architecture if it is a path.
/// - For a model without `weights`, weights are searched for. If no weights are found, synthetic
/// weights are used.
[[nodiscard]] ResolvedModel resolve_model(const std::string& model, const std::string& weights);

/// Finds models and data sets for the many cells of a sweep, and reads each of them only once.
class ModelResolver {
public:
  /// The same as the function resolve_model, but remembers the results.
  [[nodiscard]] const ResolvedModel& resolve(const std::string& model, const std::string& weights);
  /// Number of training images of a data set. Reads and checks all of them, because an incomplete
  /// CIFAR-10 has fewer images, so that its epochs are shorter. Throws the errors of load_dataset.
  [[nodiscard]] std::int64_t train_count(const DataLocation& data);

private:
  std::map<std::pair<std::string, std::string>, ResolvedModel> known_;
  /// Number of training images, by folder.
  std::map<std::filesystem::path, std::int64_t> train_counts_;
};

} // namespace sdbench

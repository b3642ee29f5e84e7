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

/// Finds models and data sets for the many cells of a sweep, and reads each of them only once.
class ModelResolver {
public:
  /// Finds the architecture and the weights for the options --model and --weights.
  /// - Without --model, a checkpoint in --weights or SDBENCH_WEIGHTS determines the architecture (a
  /// diffusers folder by its configs, a single file by its tensor names), and `model` is empty.
  /// - `weights` is empty if --weights is not given. The weights are then those in the folder
  /// `model`, if it has any, else those that locate_weights() finds, else synthetic ones.
  /// - With a model and a checkpoint, the checkpoint determines the architecture, and `model`
  /// supplies name and defaults. Throws UsageError if their UNets differ.
  /// - Exception: a single file shows only its family, such as SDXL. Two kinds of `model` determine
  /// the architecture even if their UNet differs from the family's: a path, and a model whose UNet
  /// the file contains.
  [[nodiscard]] const ResolvedModel& resolve(const std::string& model, const std::string& weights);
  /// Number of training images of a data set. Reads and checks a data set on disk, because an
  /// incomplete CIFAR-10 has fewer images, and so shorter epochs. Throws load_dataset's errors.
  [[nodiscard]] std::int64_t train_count(const DataLocation& data);

private:
  std::map<std::pair<std::string, std::string>, ResolvedModel> known_;
  /// Number of training images, by folder.
  std::map<std::filesystem::path, std::int64_t> train_counts_;
};

} // namespace sdbench

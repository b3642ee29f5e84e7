#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sdbench/base/types/component.h"
#include "sdbench/base/weights/safetensors.h"
#include "sdbench/base/weights/tensor_view.h"

namespace sdbench {

/// The files of one component.
struct ComponentFiles {
  std::vector<SafetensorsFile> files;
  TensorMap tensors; ///< views into them, under diffusers' current names
};

/// The opened files of one component in a diffusers folder: one file, or the shards that an index
/// names. A folder may have several: plain ones and the variants `fp32`, `bf16` and `fp16`, each as
/// a file or as shards. The choice depends only on the names. Plain files come first, then the
/// variants in that order. For each, the index comes before the file (UNet and VAE, like in
/// diffusers) or the file before the index (text encoders, like in transformers). Other variants
/// (`non_ema`) hold other values and are never used. An index may name only files of its own
/// folder; each must exist and hold the tensors that the index names. Throws Error.
[[nodiscard]] ComponentFiles open_component_files(const std::filesystem::path& root,
                                                  Component component);

/// A note for the user if files beside the chosen ones hold other values than `tensors`, the chosen
/// ones; else empty. Includes variants that are never used, but not pickles. Ignores differences
/// from rounding to a dtype. Compares only a part of 32 tensors.
[[nodiscard]] std::string note_of_other_files(const std::filesystem::path& root,
                                              Component component, const TensorMap& tensors);

/// True if the folder has files that open_component_files() would choose, judged by names only.
[[nodiscard]] bool has_component_files(const std::filesystem::path& root, Component component);

} // namespace sdbench

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

/// The files of one component in a diffusers folder, opened: one, or the shards that an index
/// names. A folder may hold several: plain ones and the variants `fp32`, `bf16` and `fp16`, each as
/// a file or as shards. The choice depends on the names only: plain files first, then the variants
/// in that order; for each, the index before the file (UNet and VAE, as diffusers does) or the file
/// before the index (text encoders, as transformers does). Other variants (`non_ema`) hold other
/// values and are never taken. An index may only name files of its own folder; each must be there
/// and hold the tensors the index says. Throws Error.
[[nodiscard]] ComponentFiles open_component_files(const std::filesystem::path& root,
                                                  Component component);

/// A note for the user if files beside the chosen ones hold other values than `tensors`, the chosen
/// ones; else empty. Looks at variants that are never taken, but not at pickles. Differences from
/// rounding to a dtype do not count. Compares only a part of 32 tensors.
[[nodiscard]] std::string note_of_other_files(const std::filesystem::path& root,
                                              Component component, const TensorMap& tensors);

/// True if the folder has files that open_component_files() would choose, judged by names only.
[[nodiscard]] bool has_component_files(const std::filesystem::path& root, Component component);

} // namespace sdbench

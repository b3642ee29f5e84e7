#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sdbench/base/types/component_table.h"
#include "sdbench/base/weights/safetensors.h"
#include "sdbench/base/weights/tensor_view.h"

namespace sdbench {

/// The opened files of one component.
struct ComponentFiles {
  std::vector<SafetensorsFile> files;
  TensorMap tensors; ///< views into the files, under diffusers' current names
};

/// Opens the files of one component in a diffusers folder: one file, or the shards that an index
/// names. A folder may have plain files and the variants `fp32`, `bf16` and `fp16`, each as one
/// file or as shards. The choice depends only on the files' names: plain files are preferred, then
/// fp32, then bf16, then fp16. UNet and VAE: shards with an index are preferred to a single file,
/// as in diffusers. Text encoders: a single file is preferred, as in transformers. Other variants
/// (`non_ema`) contain different weights and are never used. All files named in an index must be in
/// the index's folder and contain the tensors listed for them. If an index names a missing file,
/// its variant is skipped. Throws Error.
[[nodiscard]] ComponentFiles open_component_files(const std::filesystem::path& root,
                                                  Component component);

/// Compares `tensors`, the weights of the chosen files, with the component's other files. Returns a
/// note for the user if any of those has other weights or cannot be read; else an empty text. Reads
/// all variants, even those that are never used, but no pickles. Ignores differences that come
/// from rounding to a dtype. Compares only some values of 32 tensors.
[[nodiscard]] std::string note_of_other_files(const std::filesystem::path& root,
                                              Component component, const TensorMap& tensors);

/// True if the folder has files that open_component_files() would choose. Checks only the names.
[[nodiscard]] bool has_component_files(const std::filesystem::path& root, Component component);

} // namespace sdbench

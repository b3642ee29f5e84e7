#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sdbench/base/weights/component.h"
#include "sdbench/base/weights/safetensors.h"
#include "sdbench/base/weights/tensor_view.h"

namespace sdbench {

/// What one component is read from.
struct ComponentFiles {
  std::vector<SafetensorsFile> files;
  TensorMap tensors; ///< views into them, under diffusers' current names
};

/// The files of one component in a diffusers folder, opened: one, or the shards that an index
/// names. A folder may hold several: plain ones and the variants `fp32`, `bf16` and `fp16`, each as
/// a file or as shards. Which one is taken depends on nothing but the names: the plain ones first,
/// then the variants in that order, and of each the index before the file (UNet and VAE, as
/// diffusers does) or the file before the index (text encoders, as transformers does). Other
/// variants (`non_ema`) hold other values and are never taken. An index may only name files of its
/// own folder; each must be there and hold the tensors the index says. Throws Error.
[[nodiscard]] ComponentFiles open_component_files(const std::filesystem::path& root,
                                                  Component component);

/// A note for people where other files lie beside those that are taken and hold other values than
/// `tensors`, the taken ones; empty: none do. Variants that are never taken are among them, pickles
/// are not. What differs by the rounding of its dtype alone is the same. A part of 32 tensors is
/// looked at, no more.
[[nodiscard]] std::string note_of_other_files(const std::filesystem::path& root,
                                              Component component, const TensorMap& tensors);

/// Whether that folder holds weights that open_component_files would take, judged by names alone.
[[nodiscard]] bool has_component_files(const std::filesystem::path& root, Component component);

} // namespace sdbench

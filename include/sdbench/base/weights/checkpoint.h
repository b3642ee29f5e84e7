#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sdbench/base/types/component.h"
#include "sdbench/base/weights/tensor_view.h"

namespace sdbench {

/// All tensors of one component under diffusers' current names (`to_q`, `text_model.…`), whatever
/// the files call them. A tensor that matches no naming rule keeps its name, so that the loader's
/// strict check can report it. Copies share the mapped files; the views live as long as any copy.
struct ComponentWeights {
  TensorMap tensors;
  std::vector<std::string> files;   ///< the files read, for people and for the record
  std::vector<std::string> outside; ///< tensors of a single file that lie in none of its components
  std::shared_ptr<const void> keep_alive; ///< the mapped files
  bool are_mapped = false; ///< the views point into mapped files, so drop_pages() applies
  /// Notes for the user about the files, one line each.
  std::vector<std::string> notes = {};
};

/// Opens one component of a checkpoint on disk. `root`: a diffusers folder (plain, `.fp16.`
/// variant, sharded index) or a single CompVis/SGM `.safetensors` file; for a network, a
/// `.safetensors` file with torchvision's names. If a component has several files, the choice does
/// not depend on the run's settings (component_files.h). Pickles (`.ckpt`, `.bin`, …) are refused
/// by name. Throws Error.
[[nodiscard]] ComponentWeights open_component(const std::filesystem::path& root,
                                              Component component);

/// Identity of a checkpoint for the record, independent of the run's dtype. For one file: "blob:" +
/// its name in the Hugging Face cache if it is a link into the cache (that name is the content's
/// SHA-256), else "meta:" + hash of header, size and modification time. For a folder: the same over
/// its components' files, "blobs:" only if each of them has a blob. Throws Error.
[[nodiscard]] std::string weights_identity(const std::filesystem::path& root);

/// Renames the tensors of a component in a diffusers folder to diffusers' current names. Converts
/// old VAE attention (`query key value proj_attn`, weights [C, C, 1, 1] seen as [C, C]), and text
/// encoders from transformers 5 (without `text_model.`). Drops buffers that are not weights
/// (`position_ids`); keeps other names. Throws Error, with `origin` in front, if two names become
/// one.
[[nodiscard]] TensorMap current_names(Component component, const TensorMap& tensors,
                                      const std::string& origin);

} // namespace sdbench

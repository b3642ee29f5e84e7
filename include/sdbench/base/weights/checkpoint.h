#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sdbench/base/types/component_table.h"
#include "sdbench/base/weights/tensor_view.h"

namespace sdbench {

/// All tensors of one component, under diffusers' current names (`to_q`, `text_model.…`), even if
/// the files use other names. A tensor whose name matches no renaming rule keeps its name, so that
/// the loader's strict check can report it. Copies of this struct share the mapped files. The views
/// in `tensors` are valid as long as any copy lives.
struct ComponentWeights {
  TensorMap tensors;
  /// Paths of the files that were read, for people and for the record.
  std::vector<std::string> files;
  /// Single-file checkpoints only: names of the tensors that belong to no component.
  std::vector<std::string> outside;
  std::shared_ptr<const void> keep_alive; ///< owns the mapped files
  /// True if the views point into mapped files, so that drop_pages() can be used on them.
  bool are_mapped = false;
  /// Notes about the files for the user, one line each.
  std::vector<std::string> notes = {};
};

/// Opens one component of a checkpoint on disk. `root` is one of:
/// - a diffusers folder (plain files, `.fp16.` variants, or shards with an index)
/// - a single CompVis or SGM file (`.safetensors`)
/// - for an image classifier, a `.safetensors` file with torchvision's tensor names
/// If a component has several sets of files, the choice does not depend on the run's options (see
/// component_files.h). Throws Error. Pickles (`.ckpt`, `.bin`, …) are never opened; the Error names
/// the file.
[[nodiscard]] ComponentWeights open_component(const std::filesystem::path& root,
                                              Component component);

/// Identity of a checkpoint for the record, independent of the run's dtype. Throws Error.
/// - One file that is a link into the Hugging Face cache: "blob:" + the name of the cached blob,
/// which is the SHA-256 of the content.
/// - Any other file: "meta:" + a hash of its header, size and modification time.
/// - A folder: a hash over the identities of its components' files. The hash is preceded by
/// "blobs:" if all these identities begin with "blob:", else by "meta:".
[[nodiscard]] std::string weights_identity(const std::filesystem::path& root);

/// Renames the tensors of a component in a diffusers folder to diffusers' current names.
/// - Renames an old VAE's attention layers (`query`, `key`, `value`, `proj_attn`). Their weights of
/// shape [C, C, 1, 1] become views of shape [C, C].
/// - Converts text encoders that were saved by transformers 5 (without `text_model.`).
/// - Drops buffers that are not weights (`position_ids`). Other names stay.
/// Throws Error if two tensors would get the same name. The error begins with `origin`.
[[nodiscard]] TensorMap current_names(Component component, const TensorMap& tensors,
                                      const std::string& origin);

} // namespace sdbench

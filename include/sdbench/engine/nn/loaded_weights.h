#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sdbench/base/types/dtype.h"

namespace sdbench {

/// What was found in a checkpoint's files, for the record. The outer keys are the names of the
/// components' folders, so that a component that is read twice counts once.
struct LoadedWeights {
  std::map<std::string, std::map<Dtype, std::uint64_t>>
      bytes;                                               ///< bytes of the tensors taken, by dtype
  std::map<std::string, std::vector<std::string>> ignored; ///< names after renaming
  /// Names of ignored tensors that belong to no component of a single-file checkpoint.
  std::vector<std::string> outside;
  std::set<std::string> notes; ///< notes for the user about the files
};

/// The dtypes that the weights are stored in, most bytes first: "fp8_e4m3+fp16". Empty if no
/// weights were read.
[[nodiscard]] std::string dtypes_text(const LoadedWeights& weights);

/// The ignored tensors as text for the record. Lists all prefixes of their names, each with its
/// number of tensors: `"embedding_manager." (12), "scale_factor" (1), "vision_model." (197) of
/// text_encoder`. Empty if nothing was ignored.
[[nodiscard]] std::string ignored_text(const LoadedWeights& weights);

/// The text of ignored_text(), shortened for the user. Lists at most four prefixes of a component.
/// If it has more, a count such as ` and 2 more (5)` follows: 2 more prefixes, with 5 tensors.
[[nodiscard]] std::string ignored_note(const LoadedWeights& weights);

} // namespace sdbench

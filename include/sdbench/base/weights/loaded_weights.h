#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sdbench/base/core/dtype.h"

namespace sdbench {

/// What was found in a checkpoint's files, for the record. Keyed by the component's folder name, so
/// that a component that is read twice counts once.
struct LoadedWeights {
  std::map<std::string, std::map<Dtype, std::uint64_t>> bytes; ///< of tensors that were taken
  std::map<std::string, std::vector<std::string>> ignored;     ///< by current name
  std::vector<std::string> outside; ///< ignored, too: in no component of a single file
  std::set<std::string> notes;      ///< of which files were read, for people
};

/// The dtypes that the weights are stored in, most bytes first: "fp8_e4m3+fp16". Empty: none were
/// read.
[[nodiscard]] std::string dtypes_text(const LoadedWeights& weights);

/// What was ignored, by the first part of its name and with its number: `"embedding_manager." (12),
/// "scale_factor" (1), "vision_model." (197) of text_encoder`. Empty: nothing. All of
/// them, for the record.
[[nodiscard]] std::string ignored_text(const LoadedWeights& weights);

/// The same, shortened for people: after the first prefixes, of more than four, it ends with the
/// number of the others and of their tensors, ` and 2 more (5)`.
[[nodiscard]] std::string ignored_note(const LoadedWeights& weights);

} // namespace sdbench

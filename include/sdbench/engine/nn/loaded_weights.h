#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sdbench/base/types/dtype.h"

namespace sdbench {

/// Findings in a checkpoint's files, for the record. Keyed by the component's folder name, so that
/// a component read twice counts once.
struct LoadedWeights {
  std::map<std::string, std::map<Dtype, std::uint64_t>> bytes; ///< of tensors that were taken
  std::map<std::string, std::vector<std::string>> ignored;     ///< by current name
  std::vector<std::string> outside; ///< also ignored: in no component of a single file
  std::set<std::string> notes;      ///< which files were read, for people
};

/// The dtypes that the weights are stored in, most bytes first: "fp8_e4m3+fp16". Empty if no
/// weights were read.
[[nodiscard]] std::string dtypes_text(const LoadedWeights& weights);

/// Ignored tensors by the first part of their names, with their counts: `"embedding_manager." (12),
/// "scale_factor" (1), "vision_model." (197) of text_encoder`. Empty if nothing was ignored.
/// Complete, for the record.
[[nodiscard]] std::string ignored_text(const LoadedWeights& weights);

/// The same, shortened for people: if there are more than four prefixes, it names the first, and
/// ends with the number of others and of their tensors, ` and 2 more (5)`.
[[nodiscard]] std::string ignored_note(const LoadedWeights& weights);

} // namespace sdbench

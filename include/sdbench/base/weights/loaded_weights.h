#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sdbench/base/core/dtype.h"

namespace sdbench {

/// What the files of a checkpoint turned out to hold, for the record. By component's folder name,
/// so that one that is read again is counted once.
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

/// The same for a note that somebody reads: of more than four prefixes the first, and the number of
/// the others with that of their tensors, ` and 2 more (5)`.
[[nodiscard]] std::string ignored_note(const LoadedWeights& weights);

} // namespace sdbench

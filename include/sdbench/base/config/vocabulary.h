#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "sdbench/base/config/merge_list.h"

namespace sdbench {

inline constexpr std::uint32_t kByteCount = 256;
using TokenIds = std::unordered_map<std::string, std::uint32_t>;

/// Id of the token of each byte: first the printable bytes in order, then the others.
[[nodiscard]] const std::array<std::uint32_t, kByteCount>& byte_ids();

/// CLIP's whole vocabulary, which follows from the merges alone. Ids 0-255 are the bytes (printable
/// ones first, so "!" is 0), 256-511 the same at the end of a word ("</w>"), 512 and up the results
/// of the merges in order, then <|startoftext|> and <|endoftext|>. Throws Error, naming file and
/// line, for a merge of tokens that are not known yet, or whose result is not new.
[[nodiscard]] TokenIds clip_vocabulary(const MergeList& list);

} // namespace sdbench

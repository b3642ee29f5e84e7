#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "sdbench/base/config/merge_list.h"

namespace sdbench {

inline constexpr std::uint32_t kByteCount = 256;
/// Token ids by token text (in the byte symbols of merges.txt).
using TokenIds = std::unordered_map<std::string, std::uint32_t>;

/// Token id of each byte value. The printable bytes have the lowest ids, in order; the other bytes
/// follow.
[[nodiscard]] const std::array<std::uint32_t, kByteCount>& byte_ids();

/// CLIP's whole vocabulary, computed from the merges alone. Its ids are:
/// - 0-255: the bytes, printable ones first, so "!" is 0.
/// - 256-511: the same bytes at the end of a word ("</w>").
/// - from 512: the results of the merges, in order.
/// - the last two: <|startoftext|> and <|endoftext|>.
/// Throws Error with file and line for a merge of a token that is neither a byte token nor the
/// result of an earlier merge, and for a merge whose result already exists.
[[nodiscard]] TokenIds clip_vocabulary(const MergeList& list);

} // namespace sdbench

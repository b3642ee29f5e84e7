#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sdbench/tokenizer/merge_list.h"

namespace sdbench {

/// Byte-pair encoding with CLIP's vocabulary, which follows from the merges alone: ids 0-255 are
/// the bytes (printable ones first, so "!" is 0), 256-511 the same at the end of a word, 512 and up
/// the results of the merges in order.
class BytePairEncoder {
public:
  /// Throws Error, naming file and line, for a merge of tokens not known by then, or one whose
  /// result is not new.
  explicit BytePairEncoder(const MergeList& list);

  /// Appends the ids of one word (UTF-8, not empty). Time is n log n in its length.
  void append_ids(std::string_view word, std::vector<std::int64_t>& ids) const;

private:
  [[nodiscard]] const std::uint32_t* find_merge(std::uint32_t left, std::uint32_t right) const;

  std::unordered_map<std::uint64_t, std::uint32_t> merged_ids_; ///< (left id << 32 | right id) → id
};

} // namespace sdbench

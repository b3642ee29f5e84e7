#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sdbench/base/config/merge_list.h"

namespace sdbench {

/// Byte-pair encoding with CLIP's vocabulary (vocabulary.h).
class BytePairEncoder {
public:
  /// Throws Error if clip_vocabulary() rejects one of the merges.
  explicit BytePairEncoder(const MergeList& list);

  /// Appends the ids of one word (UTF-8, not empty). The time for a word of n bytes is O(n log n).
  void append_ids(std::string_view word, std::vector<std::int64_t>& ids) const;

private:
  [[nodiscard]] const std::uint32_t* find_merge(std::uint32_t left, std::uint32_t right) const;

  std::unordered_map<std::uint64_t, std::uint32_t> merged_ids_; ///< key: left id << 32 | right id
};

} // namespace sdbench

#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace sdbench {

/// Two tokens that byte-pair encoding joins, in the byte symbols of merges.txt (not plain text).
struct Merge {
  std::string left;
  std::string right;
};

/// The merges of a CLIP vocabulary, the earliest first, and where they were read.
struct MergeList {
  std::vector<Merge> merges;
  std::filesystem::path file;
  std::size_t first_line = 0; ///< of a merges.txt, counted from 1; 0: from a tokenizer.json

  /// "file:line" or "file: model.merges[index]", for errors.
  [[nodiscard]] std::string place(std::size_t index) const;
};

/// CLIP's merges are always this many: 49,408 tokens - 512 byte tokens - 2 special ones.
inline constexpr std::size_t kClipMergeCount = 48894;
/// Id of the first merge's result. The 256 bytes precede it twice: alone, and at the end of a word.
inline constexpr std::size_t kFirstMergedId = 512;

/// Merges from tokenizer.json or else merges.txt of `folder`. If neither exists, or `folder` is
/// empty, the built-in list, share/sdbench/tokenizer/merges.txt. A vocab.json beside such a file
/// must number its tokens like CLIP's. Throws Error, naming file and line, for anything but
/// kClipMergeCount pairs.
[[nodiscard]] MergeList find_merge_list(const std::filesystem::path& folder);

/// Formats: a "#version" line, then one "left right" a line; or Hugging Face's {"model": {"merges":
/// […]}}, where a merge is either "left right" or ["left", "right"].
[[nodiscard]] MergeList read_merges_txt(const std::filesystem::path& file);
[[nodiscard]] MergeList read_tokenizer_json(const std::filesystem::path& file);

} // namespace sdbench

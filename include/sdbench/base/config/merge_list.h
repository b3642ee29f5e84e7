#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace sdbench {

/// Two tokens that byte-pair encoding merges into one. They are spelled with the byte symbols of
/// merges.txt, not as plain text.
struct Merge {
  std::string left;
  std::string right;
};

/// The merges of a CLIP vocabulary in order of priority, and the file and line they were read from.
struct MergeList {
  std::vector<Merge> merges;
  std::filesystem::path file;
  /// Line number (at least 1) of the first merge in merges.txt; 0 if tokenizer.json was read.
  std::size_t first_line = 0;

  /// Where merge `index` was read, for errors: "file:line" or "file: model.merges[index]".
  [[nodiscard]] std::string place(std::size_t index) const;
};

/// Number of merges of every CLIP vocabulary: 49,408 tokens - 512 byte tokens - 2 special tokens.
inline constexpr std::size_t kClipMergeCount = 48894;
/// Token id of the first merge's result. Ids 0 to 255 are the bytes within a word, and ids 256 to
/// 511 the same bytes at the end of a word.
inline constexpr std::size_t kFirstMergedId = 512;

/// Reads the merges from `folder`/tokenizer.json, or from `folder`/merges.txt if the former does
/// not exist. If both are missing or `folder` is an empty path, uses the built-in list,
/// share/sdbench/tokenizer/merges.txt. If tokenizer.json is missing, a vocab.json in `folder` must
/// give every token the same id as CLIP. Throws Error with file and line unless there are exactly
/// kClipMergeCount merges.
[[nodiscard]] MergeList find_merge_list(const std::filesystem::path& folder);

/// Reads a merges.txt: a "#version" line, then one "left right" per line.
[[nodiscard]] MergeList read_merges_txt(const std::filesystem::path& file);
/// Reads a Hugging Face tokenizer.json: {"model": {"merges": […]}}, where each merge is "left
/// right" or ["left", "right"].
[[nodiscard]] MergeList read_tokenizer_json(const std::filesystem::path& file);

} // namespace sdbench

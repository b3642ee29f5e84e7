#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/config/model_config.h"

namespace sdbench {

/// Encodes text with CLIP's byte pairs, to the same ids as Hugging Face's fast CLIPTokenizer.
class ClipTokenizer {
public:
  /// Uses the merges in `config.folder` or the built-in ones, as find_merge_list() chooses.
  explicit ClipTokenizer(const TokenizerConfig& config);
  ~ClipTokenizer();
  ClipTokenizer(ClipTokenizer&&) noexcept;
  ClipTokenizer& operator=(ClipTokenizer&&) noexcept;

  /// Ids of the text alone: no start, end or padding. U+FFFD replaces invalid UTF-8, as in
  /// Python's bytes.decode(errors="replace").
  [[nodiscard]] std::vector<std::int64_t> encode(std::string_view text) const;
  /// Returns max_length ids: start, the text's first ids (at most max_length - 2), end, padding.
  [[nodiscard]] std::vector<std::int64_t> encode_padded(std::string_view text) const;

private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace sdbench

#pragma once

#include <string_view>
#include <vector>

namespace sdbench {

/// Cuts normalised text into the words that byte-pair encoding works on, in order. Drops white
/// space. The rule is that of transformers' CLIPTokenizer. A word is a special token's text, one of
/// 's 't 're 've 'm 'll 'd, a run of letters, one digit, or a run of anything else. The views point
/// into `text`.
[[nodiscard]] std::vector<std::u32string_view> split_words(std::u32string_view text);

} // namespace sdbench

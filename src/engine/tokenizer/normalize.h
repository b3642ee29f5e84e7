#pragma once

#include <string>
#include <string_view>

namespace sdbench {

/// Normalises text as CLIP's tokenizer does: Unicode's composed form (NFC), then lower case, code
/// point by code point (no final sigma, no locale; U+0130 becomes "i" U+0307). Takes n log n time
/// even for very long runs of combining marks. (The reference also turns each run of white space
/// into one space. No id depends on that, because white space only separates words.)
[[nodiscard]] std::u32string normalize_for_clip(std::u32string_view text);

} // namespace sdbench

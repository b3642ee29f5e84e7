#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace sdbench {

inline constexpr std::int64_t kGlyphWidth = 5;
inline constexpr std::int64_t kGlyphHeight = 7;

/// A letter made of dots, each a '#'.
struct Glyph {
  char letter;
  std::array<std::string_view, kGlyphHeight> rows;
};

/// Returns capitals for small letters, and the question mark for letters without a glyph.
[[nodiscard]] const Glyph& glyph_of(char letter);

} // namespace sdbench

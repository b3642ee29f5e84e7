#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace sdbench {

inline constexpr std::int64_t kGlyphWidth = 5;
inline constexpr std::int64_t kGlyphHeight = 7;

/// A letter in dots: '#' is one.
struct Glyph {
  char letter;
  std::array<std::string_view, kGlyphHeight> rows;
};

/// Capitals for small letters too; the question mark for a letter that there is none of.
[[nodiscard]] const Glyph& glyph_of(char letter);

} // namespace sdbench

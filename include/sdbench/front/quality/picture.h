#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/quality/image_metrics.h"

namespace sdbench {

/// An image that owns its pixels: 8-bit RGB, [height, width, 3].
struct Picture {
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::vector<std::uint8_t> rgb;

  /// A picture filled with one grey.
  Picture(std::int64_t width_of_it, std::int64_t height_of_it, std::uint8_t grey);
  explicit Picture(const ImageView& view);
  [[nodiscard]] ImageView view() const { return {rgb, width, height}; }

  /// Draws `other` with its upper left corner at x, y; cuts off what does not fit.
  void paste(const ImageView& other, std::int64_t x, std::int64_t y);
};

/// |image - reference| of each channel times `factor`, at most 255. Needs images of equal size.
[[nodiscard]] Picture amplified_difference(const ImageView& image, const ImageView& reference,
                                           std::int64_t factor);

/// Replaces each block of factor x factor pixels by its mean; drops incomplete blocks at the edges.
[[nodiscard]] Picture shrunk(const ImageView& image, std::int64_t factor);

/// A line of text in black on white. The font has capitals, digits and the signs that labels need;
/// it draws small letters as capitals, and all other characters as question marks. `scale`: pixels
/// per dot of a letter.
[[nodiscard]] Picture text_line(std::string_view text, std::int64_t scale);

/// A picture with lines of text above it.
struct Panel {
  std::vector<std::string> lines;
  Picture picture;
};
/// Rows of panels on white. All columns are as wide as the widest picture, but at least 168 pixels
/// (28 letters). Text that is longer than its column is cut off.
[[nodiscard]] Picture sheet(const std::vector<std::vector<Panel>>& rows);

inline constexpr std::int64_t kGlyphWidth = 5;
inline constexpr std::int64_t kGlyphHeight = 7;

/// A letter made of dots, each a '#'.
struct Glyph {
  char letter;
  std::array<std::string_view, kGlyphHeight> rows;
};

/// The glyph of a letter. Small letters have the glyphs of capitals; letters without a glyph have
/// that of the question mark.
[[nodiscard]] const Glyph& glyph_of(char letter);

} // namespace sdbench

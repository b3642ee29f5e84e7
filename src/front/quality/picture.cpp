#include "sdbench/front/quality/picture.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace sdbench {
namespace {

constexpr std::int64_t kRgb = 3;
constexpr std::uint8_t kWhite = 255;
constexpr std::int64_t kGap = 8; ///< between the panels of a sheet

std::size_t place(const Picture& picture, std::int64_t x, std::int64_t y) {
  return static_cast<std::size_t>((y * picture.width + x) * kRgb);
}

void fill_block(Picture& picture, std::int64_t x, std::int64_t y, std::int64_t side) {
  for (std::int64_t row = y; row < y + side; ++row) {
    std::fill_n(picture.rgb.begin() + static_cast<std::ptrdiff_t>(place(picture, x, row)),
                side * kRgb, std::uint8_t{0});
  }
}

/// Positions and sizes of a sheet's parts, in pixels.
struct SheetLayout {
  std::int64_t width = 0;
  std::int64_t height = kGap;
  std::int64_t panel_width = 168; ///< at least 28 letters
  std::int64_t scale = 1;         ///< pixels per dot of a letter
  std::int64_t line_height = 0;
  std::vector<std::int64_t> tops;         ///< of each row's text
  std::vector<std::int64_t> picture_tops; ///< of each row's pictures
};

SheetLayout layout_of(const std::vector<std::vector<Panel>>& rows) {
  constexpr std::int64_t kLargeLetters = 400; // panels this wide get letters twice the size
  SheetLayout layout;
  std::int64_t columns = 0;
  for (const auto& row : rows) {
    columns = std::max(columns, static_cast<std::int64_t>(row.size()));
    for (const Panel& panel : row) {
      layout.panel_width = std::max(layout.panel_width, panel.picture.width);
    }
  }
  layout.scale = layout.panel_width >= kLargeLetters ? 2 : 1;
  layout.line_height = (kGlyphHeight + 3) * layout.scale;
  layout.width = columns * (layout.panel_width + kGap) + kGap;
  for (const auto& row : rows) {
    std::int64_t lines = 0;
    std::int64_t tallest = 0;
    for (const Panel& panel : row) {
      lines = std::max(lines, static_cast<std::int64_t>(panel.lines.size()));
      tallest = std::max(tallest, panel.picture.height);
    }
    layout.tops.push_back(layout.height);
    layout.picture_tops.push_back(layout.height + lines * layout.line_height);
    layout.height = layout.picture_tops.back() + tallest + kGap;
  }
  return layout;
}

// Drawn by hand, five by seven dots, so that pictures' labels need no installed font.
// clang-format off
constexpr Glyph kGlyphs[] = {
    {'A', {{".###.", "#...#", "#...#", "#####", "#...#", "#...#", "#...#"}}},
    {'B', {{"####.", "#...#", "#...#", "####.", "#...#", "#...#", "####."}}},
    {'C', {{".###.", "#...#", "#....", "#....", "#....", "#...#", ".###."}}},
    {'D', {{"###..", "#..#.", "#...#", "#...#", "#...#", "#..#.", "###.."}}},
    {'E', {{"#####", "#....", "#....", "####.", "#....", "#....", "#####"}}},
    {'F', {{"#####", "#....", "#....", "####.", "#....", "#....", "#...."}}},
    {'G', {{".###.", "#...#", "#....", "#.###", "#...#", "#...#", ".####"}}},
    {'H', {{"#...#", "#...#", "#...#", "#####", "#...#", "#...#", "#...#"}}},
    {'I', {{".###.", "..#..", "..#..", "..#..", "..#..", "..#..", ".###."}}},
    {'J', {{"..###", "...#.", "...#.", "...#.", "...#.", "#..#.", ".##.."}}},
    {'K', {{"#...#", "#..#.", "#.#..", "##...", "#.#..", "#..#.", "#...#"}}},
    {'L', {{"#....", "#....", "#....", "#....", "#....", "#....", "#####"}}},
    {'M', {{"#...#", "##.##", "#.#.#", "#.#.#", "#...#", "#...#", "#...#"}}},
    {'N', {{"#...#", "##..#", "#.#.#", "#..##", "#...#", "#...#", "#...#"}}},
    {'O', {{".###.", "#...#", "#...#", "#...#", "#...#", "#...#", ".###."}}},
    {'P', {{"####.", "#...#", "#...#", "####.", "#....", "#....", "#...."}}},
    {'Q', {{".###.", "#...#", "#...#", "#...#", "#.#.#", "#..#.", ".##.#"}}},
    {'R', {{"####.", "#...#", "#...#", "####.", "#.#..", "#..#.", "#...#"}}},
    {'S', {{".####", "#....", "#....", ".###.", "....#", "....#", "####."}}},
    {'T', {{"#####", "..#..", "..#..", "..#..", "..#..", "..#..", "..#.."}}},
    {'U', {{"#...#", "#...#", "#...#", "#...#", "#...#", "#...#", ".###."}}},
    {'V', {{"#...#", "#...#", "#...#", "#...#", "#...#", ".#.#.", "..#.."}}},
    {'W', {{"#...#", "#...#", "#...#", "#.#.#", "#.#.#", "##.##", "#...#"}}},
    {'X', {{"#...#", "#...#", ".#.#.", "..#..", ".#.#.", "#...#", "#...#"}}},
    {'Y', {{"#...#", "#...#", ".#.#.", "..#..", "..#..", "..#..", "..#.."}}},
    {'Z', {{"#####", "....#", "...#.", "..#..", ".#...", "#....", "#####"}}},
    {'0', {{".###.", "#...#", "#..##", "#.#.#", "##..#", "#...#", ".###."}}},
    {'1', {{"..#..", ".##..", "..#..", "..#..", "..#..", "..#..", ".###."}}},
    {'2', {{".###.", "#...#", "....#", "...#.", "..#..", ".#...", "#####"}}},
    {'3', {{"#####", "...#.", "..#..", "...#.", "....#", "#...#", ".###."}}},
    {'4', {{"...#.", "..##.", ".#.#.", "#..#.", "#####", "...#.", "...#."}}},
    {'5', {{"#####", "#....", "####.", "....#", "....#", "#...#", ".###."}}},
    {'6', {{"..##.", ".#...", "#....", "####.", "#...#", "#...#", ".###."}}},
    {'7', {{"#####", "....#", "...#.", "..#..", ".#...", ".#...", ".#..."}}},
    {'8', {{".###.", "#...#", "#...#", ".###.", "#...#", "#...#", ".###."}}},
    {'9', {{".###.", "#...#", "#...#", ".####", "....#", "...#.", ".##.."}}},
    {' ', {{".....", ".....", ".....", ".....", ".....", ".....", "....."}}},
    {'.', {{".....", ".....", ".....", ".....", ".....", ".##..", ".##.."}}},
    {',', {{".....", ".....", ".....", ".....", ".##..", "..#..", ".#..."}}},
    {':', {{".....", ".##..", ".##..", ".....", ".##..", ".##..", "....."}}},
    {'-', {{".....", ".....", ".....", "#####", ".....", ".....", "....."}}},
    {'_', {{".....", ".....", ".....", ".....", ".....", ".....", "#####"}}},
    {'+', {{".....", "..#..", "..#..", "#####", "..#..", "..#..", "....."}}},
    {'/', {{".....", "....#", "...#.", "..#..", ".#...", "#....", "....."}}},
    {'%', {{"##...", "##..#", "...#.", "..#..", ".#...", "#..##", "...##"}}},
    {'|', {{"..#..", "..#..", "..#..", "..#..", "..#..", "..#..", "..#.."}}},
    {'=', {{".....", ".....", "#####", ".....", "#####", ".....", "....."}}},
    {'(', {{"...#.", "..#..", ".#...", ".#...", ".#...", "..#..", "...#."}}},
    {')', {{".#...", "..#..", "...#.", "...#.", "...#.", "..#..", ".#..."}}},
    {'?', {{".###.", "#...#", "....#", "...#.", "..#..", ".....", "..#.."}}},
};
// clang-format on

} // namespace

Picture::Picture(std::int64_t width_of_it, std::int64_t height_of_it, std::uint8_t grey)
    : width(width_of_it), height(height_of_it),
      rgb(static_cast<std::size_t>(width_of_it * height_of_it * kRgb), grey) {}

Picture::Picture(const ImageView& view)
    : width(view.width), height(view.height), rgb(view.rgb.begin(), view.rgb.end()) {}

void Picture::paste(const ImageView& other, std::int64_t x, std::int64_t y) {
  const std::int64_t columns = std::min(other.width, width - x);
  const std::int64_t rows = std::min(other.height, height - y);
  for (std::int64_t row = 0; columns > 0 && row < rows; ++row) {
    std::copy_n(other.rgb.begin() + static_cast<std::ptrdiff_t>(row * other.width * kRgb),
                columns * kRgb,
                rgb.begin() + static_cast<std::ptrdiff_t>(place(*this, x, y + row)));
  }
}

Picture amplified_difference(const ImageView& image, const ImageView& reference,
                             std::int64_t factor) {
  constexpr std::int64_t kMost = 255;
  Picture picture(image.width, image.height, 0);
  for (std::size_t i = 0; i < picture.rgb.size(); ++i) {
    const std::int64_t error = std::abs(int{image.rgb[i]} - int{reference.rgb[i]});
    picture.rgb[i] = static_cast<std::uint8_t>(std::min(kMost, error * factor));
  }
  return picture;
}

Picture shrunk(const ImageView& image, std::int64_t factor) {
  Picture small(image.width / factor, image.height / factor, 0);
  for (std::int64_t y = 0; y < small.height; ++y) {
    for (std::int64_t x = 0; x < small.width; ++x) {
      for (std::int64_t channel = 0; channel < kRgb; ++channel) {
        std::int64_t sum = 0;
        for (std::int64_t i = 0; i < factor * factor; ++i) {
          const std::int64_t row = y * factor + i / factor;
          const std::int64_t column = x * factor + i % factor;
          sum += image.rgb[static_cast<std::size_t>((row * image.width + column) * kRgb + channel)];
        }
        small.rgb[place(small, x, y) + static_cast<std::size_t>(channel)] =
            static_cast<std::uint8_t>((sum + factor * factor / 2) / (factor * factor));
      }
    }
  }
  return small;
}

Picture text_line(std::string_view text, std::int64_t scale) {
  const std::int64_t advance = (kGlyphWidth + 1) * scale;
  Picture line(static_cast<std::int64_t>(text.size()) * advance, (kGlyphHeight + 1) * scale,
               kWhite);
  std::int64_t left = 0;
  for (const char letter : text) {
    const Glyph& glyph = glyph_of(letter);
    for (std::int64_t i = 0; i < kGlyphWidth * kGlyphHeight; ++i) {
      const std::int64_t row = i / kGlyphWidth;
      const std::int64_t column = i % kGlyphWidth;
      if (glyph.rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] == '#') {
        fill_block(line, left + column * scale, row * scale, scale);
      }
    }
    left += advance;
  }
  return line;
}

Picture sheet(const std::vector<std::vector<Panel>>& rows) {
  const SheetLayout layout = layout_of(rows);
  Picture whole(layout.width, layout.height, kWhite);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::int64_t left = kGap;
    for (const Panel& panel : rows[i]) {
      std::int64_t top = layout.tops[i];
      for (const std::string& text : panel.lines) {
        Picture line(layout.panel_width, layout.line_height, kWhite); // cuts off long text
        line.paste(text_line(text, layout.scale).view(), 0, 0);
        whole.paste(line.view(), left, top);
        top += layout.line_height;
      }
      whole.paste(panel.picture.view(), left, layout.picture_tops[i]);
      left += layout.panel_width + kGap;
    }
  }
  return whole;
}

const Glyph& glyph_of(char letter) {
  const bool is_small = letter >= 'a' && letter <= 'z';
  const char wanted = is_small ? static_cast<char>(letter - 'a' + 'A') : letter;
  const auto* const found = std::ranges::find(kGlyphs, wanted, &Glyph::letter);
  return found == std::end(kGlyphs) ? std::end(kGlyphs)[-1] : *found; // the last is '?'
}

} // namespace sdbench

#include "sdbench/front/quality/picture.h"

#include <algorithm>

#include "catch.h"

using namespace sdbench;

namespace {

/// Black dots of a line of text, as rows of '#'.
std::vector<std::string> dots_of(const Picture& picture) {
  std::vector<std::string> rows;
  for (std::int64_t y = 0; y < picture.height; ++y) {
    std::string& row = rows.emplace_back();
    for (std::int64_t x = 0; x < picture.width; ++x) {
      row += picture.rgb[static_cast<std::size_t>((y * picture.width + x) * 3)] == 0 ? '#' : '.';
    }
  }
  return rows;
}

} // namespace

TEST_CASE("a text is drawn dot by dot, small letters as capitals") {
  const std::vector<std::string> wanted = {".###..#####.", "#...#...#...", "#.......#...",
                                           "#.......#...", "#.......#...", "#...#...#...",
                                           ".###....#...", "............"};
  CHECK(dots_of(text_line("ct", 1)) == wanted);
  const Picture twice = text_line("CT", 2);
  CHECK(twice.width == 24);
  CHECK(dots_of(twice)[2].substr(0, 4) == "##..");
  CHECK(dots_of(text_line("\xff", 1)) == dots_of(text_line("?", 1)));
  CHECK(dots_of(text_line("f", 1)) != dots_of(text_line("?", 1)));
}

TEST_CASE("an amplified difference is cut off at white and does not wrap around") {
  const std::vector<std::uint8_t> image = {10, 0, 100};
  const std::vector<std::uint8_t> reference = {12, 0, 10};
  const Picture picture = amplified_difference({image, 1, 1}, {reference, 1, 1}, 10);
  CHECK(picture.rgb == std::vector<std::uint8_t>{20, 0, 255});
}

TEST_CASE("a picture is shrunk to the means of its blocks") {
  const std::vector<std::uint8_t> image = {0,  0, 0, 10, 1, 2, 9, 9, 9, //
                                           20, 0, 0, 30, 0, 0, 9, 9, 9};
  const Picture small = shrunk({image, 3, 2}, 2);
  CHECK(small.width == 1);
  CHECK(small.height == 1);
  CHECK(small.rgb == std::vector<std::uint8_t>{15, 0, 1});
}

TEST_CASE("a sheet has its panels in rows and columns with their text above") {
  const Picture red = [] {
    Picture picture(200, 10, 0);
    for (std::size_t i = 0; i < picture.rgb.size(); i += 3) {
      picture.rgb[i] = 255;
    }
    return picture;
  }();
  const Picture all = sheet({{{{"a"}, red}, {{"b", "c"}, red}}, {{{}, red}}});
  CHECK(all.width == 2 * 200 + 3 * 8);
  CHECK(all.height == 8 + 2 * 10 + 10 + 8 + 10 + 8);
  const auto pixel = [&](std::int64_t x, std::int64_t y) {
    const auto first = all.rgb.begin() + (y * all.width + x) * 3;
    return std::vector<std::uint8_t>(first, first + 3);
  };
  const std::vector<std::uint8_t> is_red = {255, 0, 0};
  const std::vector<std::uint8_t> is_white = {255, 255, 255};
  CHECK(pixel(8, 28) == is_red);
  CHECK(pixel(8 + 199, 37) == is_red);
  CHECK(pixel(8 + 200, 37) == is_white);
  CHECK(pixel(8 + 208, 28) == is_red);
  CHECK(pixel(8, 46) == is_red);
  CHECK(pixel(8 + 208, 46) == is_white); // the second row has one panel
  const auto black = [&](std::int64_t y0, std::int64_t y1) {
    return std::any_of(all.rgb.begin() + y0 * all.width * 3, all.rgb.begin() + y1 * all.width * 3,
                       [](std::uint8_t byte) { return byte == 0; });
  };
  CHECK(black(8, 18)); // text
  CHECK_FALSE(black(0, 8));
}

TEST_CASE("text that is longer than its panel does not run into the next") {
  const Picture picture(4, 4, 255);
  const Picture one = sheet({{{{std::string(100, '-')}, picture}, {{""}, picture}}});
  const Picture other = sheet({{{{std::string(28, '-')}, picture}, {{""}, picture}}});
  CHECK(one.rgb == other.rgb);
}

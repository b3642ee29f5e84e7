#include "catch.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <png.h>
#include <unistd.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/png.h"

using namespace sdbench;
namespace fs = std::filesystem;

namespace {

using Text = std::vector<std::pair<std::string, std::string>>;

struct TemporaryFolder {
  fs::path path = fs::temp_directory_path() / ("sdbench-png-" + std::to_string(::getpid()));
  TemporaryFolder() { fs::create_directories(path); }
  ~TemporaryFolder() { fs::remove_all(path); }
};

struct ReadBack {
  png_uint_32 width = 0;
  png_uint_32 height = 0;
  int bit_depth = 0;
  int color_type = 0;
  std::vector<std::uint8_t> rgb;
  Text text;
  std::vector<int> compression; // of each text chunk: tells tEXt from iTXt
};

/// libpng's default error handling (message on stderr, abort) is right in a test.
ReadBack read_png(const fs::path& path) {
  ReadBack image;
  std::FILE* file = std::fopen(path.c_str(), "rb");
  REQUIRE(file != nullptr);
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, file);
  png_read_png(png, info, PNG_TRANSFORM_IDENTITY, nullptr);
  image.width = png_get_image_width(png, info);
  image.height = png_get_image_height(png, info);
  image.bit_depth = png_get_bit_depth(png, info);
  image.color_type = png_get_color_type(png, info);
  png_bytepp rows = png_get_rows(png, info);
  for (png_uint_32 y = 0; y < image.height; ++y) {
    image.rgb.insert(image.rgb.end(), rows[y], rows[y] + png_get_rowbytes(png, info));
  }
  png_textp chunks = nullptr;
  const int count = png_get_text(png, info, &chunks, nullptr);
  for (int i = 0; i < count; ++i) {
    image.text.emplace_back(chunks[i].key, chunks[i].text);
    image.compression.push_back(chunks[i].compression);
  }
  png_destroy_read_struct(&png, &info, nullptr);
  std::fclose(file);
  return image;
}

std::vector<std::uint8_t> gradient(std::size_t byte_count) {
  std::vector<std::uint8_t> rgb(byte_count);
  for (std::size_t i = 0; i < byte_count; ++i) {
    rgb[i] = static_cast<std::uint8_t>(i * 7 + i / 256);
  }
  return rgb;
}

std::size_t entry_count(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

} // namespace

TEST_CASE("a PNG reads back with the same pixels and text") {
  const TemporaryFolder folder;
  const fs::path path = folder.path / "image.png";
  const auto rgb = gradient(37 * 23 * 3);
  const Text text{{"prompt", "a cat, (best:1.2)\nsecond line"},
                  {"negative prompt", "résumé 猫 😀"},
                  {"seed", "0"},
                  {"empty", ""}};
  write_png(path, rgb, 37, 23, text);

  const ReadBack image = read_png(path);
  CHECK(image.width == 37);
  CHECK(image.height == 23);
  CHECK(image.bit_depth == 8);
  CHECK(image.color_type == PNG_COLOR_TYPE_RGB);
  CHECK(image.rgb == rgb);
  CHECK(image.text == text);
  CHECK(image.compression == std::vector<int>{PNG_TEXT_COMPRESSION_NONE, PNG_ITXT_COMPRESSION_NONE,
                                              PNG_TEXT_COMPRESSION_NONE,
                                              PNG_TEXT_COMPRESSION_NONE});
  CHECK(entry_count(folder.path) == 1); // no temporary file is left
}

TEST_CASE("PNG text that is not UTF-8 or holds a zero byte is mended, not cut") {
  const TemporaryFolder folder;
  const fs::path path = folder.path / "image.png";
  write_png(path, gradient(3), 1, 1, {{"prompt", std::string("a\0b\xff", 4)}});
  CHECK(read_png(path).text == Text{{"prompt", "a\uFFFDb\uFFFD"}});
}

TEST_CASE("a PNG replaces an older file whole") {
  const TemporaryFolder folder;
  const fs::path path = folder.path / "image.png";
  std::ofstream(path) << "something else";
  write_png(path, gradient(12), 2, 2, {});
  CHECK(read_png(path).width == 2);
}

TEST_CASE("a PNG that cannot be written is an error and leaves nothing behind") {
  const TemporaryFolder folder;
  const fs::path path = folder.path / "image.png";
  const auto rgb = gradient(12);
  CHECK_THROWS_AS(write_png(path, rgb, 2, 3, {}), Error); // 18 bytes wanted
  CHECK_THROWS_AS(write_png(path, rgb, 0, 2, {}), Error);
  CHECK_THROWS_AS(write_png(path, rgb, -2, -2, {}), Error);
  CHECK_THROWS_AS(write_png(path, rgb, 1'000'001, 1, {}), Error);
  CHECK_THROWS_AS(write_png(path, rgb, std::int64_t{1} << 62, 8, {}), Error);
  CHECK_THROWS_AS(write_png(path, rgb, 2, 2, {{"", "no keyword"}}), Error);
  CHECK_THROWS_AS(write_png(path, rgb, 2, 2, {{std::string(80, 'k'), "long"}}), Error);
  CHECK_THROWS_AS(write_png(path, rgb, 2, 2, {{"bad\nkey", ""}}), Error);
  CHECK(entry_count(folder.path) == 0);

  CHECK_THROWS_AS(write_png(folder.path / "absent" / "image.png", rgb, 2, 2, {}), Error);
  fs::create_directory(path);
  CHECK_THROWS_AS(write_png(path, rgb, 2, 2, {}), Error);
  CHECK(entry_count(folder.path) == 1);
}

TEST_CASE("a picture tells whether it was made with the very same text") {
  const TemporaryFolder folder;
  const fs::path file = folder.path / "a.png";
  const std::vector<std::uint8_t> pixels(12, 7);
  const Text text = {{"prompt", "ein schöner See"}, {"seed", "7"}, {"empty", ""}};
  CHECK_FALSE(png_says(file, text));
  write_png(file, pixels, 2, 2, text);
  CHECK(png_says(file, text));
  CHECK_FALSE(png_says(file, {{"prompt", "ein schöner See"}, {"seed", "8"}, {"empty", ""}}));
  CHECK_FALSE(png_says(file, {{"prompt", "ein schöner See"}, {"seed", "7"}}));
  std::ofstream(file) << "no picture";
  CHECK_FALSE(png_says(file, text));
}

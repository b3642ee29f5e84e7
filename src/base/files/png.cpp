#include "sdbench/base/files/png.h"

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
#include <exception>
#include <string_view>

#include <png.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/files/own_file.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/utf8.h"

namespace sdbench {
namespace {

constexpr std::int64_t kMaxSide = 1'000'000; // libpng's own default limit

/// Everything that libpng's callbacks use. Lives outside the function that calls setjmp, so that a
/// longjmp never skips a destructor.
struct Encoder {
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::string bytes;
  std::array<char, 200> message{}; // fixed: the error callback may run because memory is short

  Encoder() = default;
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;
  ~Encoder() { png_destroy_write_struct(&png, &info); }
};

[[noreturn]] void on_error(png_structp png, png_const_charp message) {
  auto& encoder = *static_cast<Encoder*>(png_get_error_ptr(png));
  std::snprintf(encoder.message.data(), encoder.message.size(), "%s", message);
  png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

void on_write(png_structp png, png_bytep data, std::size_t size) {
  bool stored = true;
  try { // an exception must not pass through libpng's C frames
    static_cast<Encoder*>(png_get_io_ptr(png))
        ->bytes.append(reinterpret_cast<const char*>(data), size);
  } catch (const std::exception&) {
    stored = false;
  }
  if (!stored) {
    png_error(png, "out of memory");
  }
}

void on_flush(png_structp) {}

/// tEXt is Latin-1; plain ASCII reads the same in every program. Everything else goes into iTXt,
/// which is UTF-8.
bool fits_text_chunk(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return (c >= ' ' && c <= '~') || c == '\n'; });
}

/// PNG's keyword rules, narrowed to ASCII: 1 to 79 printable characters, no outer or double spaces.
void check_keyword(const std::string& keyword) {
  const bool printable = std::ranges::all_of(keyword, [](char c) { return c >= ' ' && c <= '~'; });
  if (keyword.empty() || keyword.size() > 79 || !printable || keyword.front() == ' ' ||
      keyword.back() == ' ' || keyword.find("  ") != std::string::npos) {
    throw Error("PNG keyword must be 1 to 79 printable ASCII characters, but is " +
                in_quotes(keyword));
  }
}

/// Valid UTF-8 without zero bytes, which would end the chunk's text.
std::string storable_text(const std::string& text) {
  std::u32string code_points = decode_utf8(text);
  std::ranges::replace(code_points, U'\0', U'\uFFFD');
  return encode_utf8(code_points);
}

png_text as_png_text(std::string& keyword, std::string& text) {
  png_text chunk{};
  const bool plain = fits_text_chunk(text);
  chunk.compression = plain ? PNG_TEXT_COMPRESSION_NONE : PNG_ITXT_COMPRESSION_NONE;
  chunk.key = keyword.data();
  chunk.text = text.data();
  (plain ? chunk.text_length : chunk.itxt_length) = text.size();
  return chunk;
}

/// False after a libpng error, whose text is then in encoder.message. All locals are trivially
/// destructible, because setjmp's second return would skip other destructors.
bool run_libpng(Encoder& encoder, const std::vector<png_text>& text,
                const std::vector<png_const_bytep>& rows, png_uint_32 width) {
  if (setjmp(png_jmpbuf(encoder.png)) != 0) {
    return false;
  }
  png_set_write_fn(encoder.png, &encoder, on_write, on_flush);
  png_set_IHDR(encoder.png, encoder.info, width, static_cast<png_uint_32>(rows.size()), 8,
               PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_set_text(encoder.png, encoder.info, text.data(), static_cast<int>(text.size()));
  png_write_info(encoder.png, encoder.info);
  for (const png_const_bytep row : rows) {
    png_write_row(encoder.png, row);
  }
  png_write_end(encoder.png, nullptr);
  return true;
}

void check_shape(std::span<const std::uint8_t> rgb, std::int64_t width, std::int64_t height) {
  const bool in_range = width >= 1 && height >= 1 && width <= kMaxSide && height <= kMaxSide;
  if (!in_range || rgb.size() != static_cast<std::size_t>(width * height * 3)) {
    throw Error("PNG image must have 3 bytes for each pixel and sides from 1 to " +
                std::to_string(kMaxSide) + ", but has " + std::to_string(rgb.size()) +
                " bytes for " + std::to_string(width) + "x" + std::to_string(height));
  }
}

using Texts = std::vector<std::pair<std::string, std::string>>;

std::size_t big_endian(std::string_view bytes) {
  std::size_t number = 0;
  for (const char byte : bytes.substr(0, 4)) {
    number = number << 8U | static_cast<unsigned char>(byte);
  }
  return number;
}

/// The keyword and text of a tEXt or iTXt chunk as write_png makes it: uncompressed, without a
/// language.
std::pair<std::string, std::string> read_text_chunk(std::string_view type, std::string_view data) {
  constexpr std::size_t kFlagsAndNoLanguage = 4;
  const std::size_t end = std::min(data.find('\0'), data.size());
  const std::size_t text = end + 1 + (type == "iTXt" ? kFlagsAndNoLanguage : 0);
  return {std::string(data.substr(0, end)), std::string(data.substr(std::min(text, data.size())))};
}

/// The texts before the pixels.
Texts texts_of_png(std::string_view bytes) {
  constexpr std::size_t kSignature = 8;
  constexpr std::size_t kAround = 12; // length, type and checksum of a chunk
  Texts texts;
  bytes.remove_prefix(std::min(kSignature, bytes.size()));
  while (bytes.size() >= kAround) {
    const std::size_t length = big_endian(bytes);
    const std::string_view type = bytes.substr(4, 4);
    if (type == "IDAT" || length > bytes.size() - kAround) {
      break;
    }
    if (type == "tEXt" || type == "iTXt") {
      texts.push_back(read_text_chunk(type, bytes.substr(8, length)));
    }
    bytes.remove_prefix(length + kAround);
  }
  return texts;
}

} // namespace

bool png_says(const std::filesystem::path& path, const Texts& text) {
  Texts stored = text;
  for (auto& entry : stored) {
    entry.second = storable_text(entry.second);
  }
  return texts_of_png(standing_text(path, std::size_t{1} << 20)) == stored;
}

void write_png(const std::filesystem::path& path, std::span<const std::uint8_t> rgb,
               std::int64_t width, std::int64_t height,
               const std::vector<std::pair<std::string, std::string>>& text) {
  check_shape(rgb, width, height);
  auto entries = text; // libpng takes mutable pointers
  std::vector<png_text> chunks;
  for (auto& [keyword, value] : entries) {
    check_keyword(keyword);
    value = storable_text(value);
    chunks.push_back(as_png_text(keyword, value));
  }
  std::vector<png_const_bytep> rows;
  for (std::int64_t y = 0; y < height; ++y) {
    rows.push_back(rgb.data() + y * width * 3);
  }

  Encoder encoder;
  encoder.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &encoder, on_error, on_warning);
  encoder.info = encoder.png == nullptr ? nullptr : png_create_info_struct(encoder.png);
  if (encoder.info == nullptr ||
      !run_libpng(encoder, chunks, rows, static_cast<png_uint_32>(width))) {
    throw Error("cannot write " + path.string() + ": libpng says \"" + encoder.message.data() +
                "\"");
  }
  write_file_atomically(path, encoder.bytes);
}

} // namespace sdbench

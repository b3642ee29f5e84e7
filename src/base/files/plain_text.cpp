#include "sdbench/base/files/plain_text.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/text/utf8.h"

namespace sdbench {
namespace {

constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";
constexpr const char* kRemedy = "; save it as UTF-8";

bool is_high_surrogate(char32_t unit) {
  return unit >= 0xD800 && unit < 0xDC00;
}

bool is_low_surrogate(char32_t unit) {
  return unit >= 0xDC00 && unit < 0xE000;
}

/// `bytes` after the mark. `low`: index of the lower byte in a unit of two.
std::string from_utf16(std::string_view bytes, std::size_t low, const std::string& name) {
  const auto unit_at = [&](std::size_t i) {
    const auto byte = [&](std::size_t place) {
      return static_cast<char32_t>(static_cast<unsigned char>(bytes[2 * i + place]));
    };
    return byte(1 - low) << 8 | byte(low);
  };
  std::string text;
  for (std::size_t i = 0; i < bytes.size() / 2; ++i) {
    char32_t code_point = unit_at(i);
    const bool is_pair = is_high_surrogate(code_point) && i + 1 < bytes.size() / 2 &&
                         is_low_surrogate(unit_at(i + 1));
    if (is_pair) {
      code_point = 0x10000 + ((code_point - 0xD800) << 10) + (unit_at(++i) - 0xDC00);
    } else if (is_high_surrogate(code_point) || is_low_surrogate(code_point)) {
      throw Error(name +
                  " must be UTF-16, as its byte order mark says, but has half of a surrogate pair" +
                  kRemedy);
    }
    append_utf8(text, code_point);
  }
  if (bytes.size() % 2 != 0) {
    throw Error(
        name + " must be UTF-16, as its byte order mark says, but ends with half of a 16-bit unit" +
        kRemedy);
  }
  return text;
}

std::string line_of(std::string_view text, std::size_t position) {
  return std::to_string(1 + std::ranges::count(text.substr(0, position), '\n'));
}

} // namespace

std::string to_plain_text(std::string bytes, const std::string& name) {
  const std::string_view all = bytes;
  if (all.starts_with("\xff\xfe") || all.starts_with("\xfe\xff")) {
    bytes = from_utf16(all.substr(2), all.starts_with("\xff\xfe") ? 0 : 1, name);
  } else if (all.starts_with(kUtf8Mark)) {
    bytes.erase(0, kUtf8Mark.size());
  }
  if (const std::size_t zero = bytes.find('\0'); zero != std::string::npos) {
    throw Error(name + " must be text, but line " + line_of(bytes, zero) +
                " has a zero byte (UTF-16 without a byte order mark?)" + kRemedy);
  }
  if (const std::optional<std::size_t> wrong = first_invalid_utf8(bytes)) {
    throw Error(name + " must be UTF-8, but line " + line_of(bytes, *wrong) +
                " is not (Latin-1, or another of Windows' encodings?)" + kRemedy);
  }
  return bytes;
}

std::string read_plain_text(const std::filesystem::path& file, std::size_t max_bytes) {
  return to_plain_text(read_text_file(file, max_bytes), file.string());
}

} // namespace sdbench

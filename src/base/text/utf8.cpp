#include "sdbench/base/text/utf8.h"

#include <algorithm>
#include <cstdint>

namespace sdbench {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

/// Facts that follow from the first byte of a sequence: how many bytes follow, its own payload, and
/// the range of the second byte. That range excludes overlong forms, surrogates and values over
/// U+10FFFF (Unicode 15, table 3-7).
struct Lead {
  int continuation_count = 0;
  char32_t payload = 0;
  std::uint8_t second_min = 0x80;
  std::uint8_t second_max = 0xBF;
};

/// A continuation_count of -1 marks a byte that cannot start a sequence.
Lead classify(std::uint8_t byte) {
  const auto bits = [byte](int mask) { return static_cast<char32_t>(byte & mask); };
  if (byte < 0x80) {
    return {0, byte};
  }
  if (byte >= 0xC2 && byte <= 0xDF) {
    return {1, bits(0x1F)};
  }
  if (byte >= 0xE0 && byte <= 0xEF) {
    const std::uint8_t low = byte == 0xE0 ? 0xA0 : 0x80;
    const std::uint8_t high = byte == 0xED ? 0x9F : 0xBF;
    return {2, bits(0x0F), low, high};
  }
  if (byte >= 0xF0 && byte <= 0xF4) {
    const std::uint8_t low = byte == 0xF0 ? 0x90 : 0x80;
    const std::uint8_t high = byte == 0xF4 ? 0x8F : 0xBF;
    return {3, bits(0x07), low, high};
  }
  return {-1};
}

/// Reads one code point at `position` and moves past it, or past the invalid part that it replaces.
char32_t read_code_point(std::string_view bytes, std::size_t& position) {
  const Lead lead = classify(static_cast<std::uint8_t>(bytes[position++]));
  if (lead.continuation_count < 0) {
    return kReplacement;
  }
  char32_t code_point = lead.payload;
  std::uint8_t low = lead.second_min;
  std::uint8_t high = lead.second_max;
  for (int i = 0; i < lead.continuation_count; ++i) {
    if (position == bytes.size()) {
      return kReplacement;
    }
    const auto byte = static_cast<std::uint8_t>(bytes[position]);
    if (byte < low || byte > high) {
      return kReplacement; // this byte may start the next sequence
    }
    code_point = (code_point << 6) | static_cast<char32_t>(byte & 0x3F);
    low = 0x80;
    high = 0xBF;
    ++position;
  }
  return code_point;
}

} // namespace

std::u32string decode_utf8(std::string_view bytes) {
  std::u32string code_points;
  code_points.reserve(bytes.size());
  for (std::size_t position = 0; position < bytes.size();) {
    code_points += read_code_point(bytes, position);
  }
  return code_points;
}

void append_utf8(std::string& text, char32_t code_point) {
  const auto put = [&text](char32_t byte) { text += static_cast<char>(byte); };
  if (code_point < 0x80) {
    put(code_point);
    return;
  }
  if (code_point < 0x800) {
    put(0xC0 | (code_point >> 6));
  } else {
    if (code_point < 0x10000) {
      put(0xE0 | (code_point >> 12));
    } else {
      put(0xF0 | (code_point >> 18));
      put(0x80 | ((code_point >> 12) & 0x3F));
    }
    put(0x80 | ((code_point >> 6) & 0x3F));
  }
  put(0x80 | (code_point & 0x3F));
}

std::string encode_utf8(std::u32string_view code_points) {
  std::string text;
  text.reserve(code_points.size());
  for (const char32_t code_point : code_points) {
    append_utf8(text, code_point);
  }
  return text;
}

std::size_t valid_utf8_length(std::string_view bytes) {
  constexpr std::string_view kEncodedReplacement = "\xef\xbf\xbd";
  std::size_t length = 0;
  const bool is_valid = read_code_point(bytes, length) != kReplacement ||
                        bytes.substr(0, length) == kEncodedReplacement;
  return is_valid ? length : 0;
}

std::optional<std::size_t> first_invalid_utf8(std::string_view bytes) {
  for (std::size_t position = 0; position < bytes.size();) {
    const std::size_t length = valid_utf8_length(bytes.substr(position));
    if (length == 0) {
      return position;
    }
    position += length;
  }
  return std::nullopt;
}

std::string to_valid_utf8(std::string_view bytes) {
  return encode_utf8(decode_utf8(bytes));
}

bool is_letter_or_digit(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= '0' && byte <= '9');
}

std::string in_small_letters(std::string text) {
  std::ranges::transform(text, text.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  return text;
}

std::string in_capitals(std::string text) {
  std::ranges::transform(text, text.begin(), [](char letter) {
    return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  });
  return text;
}

} // namespace sdbench

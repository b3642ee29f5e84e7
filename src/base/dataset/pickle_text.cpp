#include "pickle_text.h"

#include <charconv>
#include <cstddef>
#include <system_error>

#include "sdbench/base/text/utf8.h"

namespace sdbench {
namespace {

constexpr std::size_t kBits = 8; ///< of a byte
constexpr char32_t kLastLetter = 0x10FFFF;
constexpr int kHex = 16;
constexpr int kOctal = 8;

/// Takes exactly `count` digits from the front of `text`.
std::optional<std::uint32_t> take_digits(std::string_view& text, std::size_t count, int base) {
  std::uint32_t number = 0;
  if (text.size() < count) {
    return std::nullopt;
  }
  const char* const end = text.data() + count;
  const auto [stop, error] = std::from_chars(text.data(), end, number, base);
  if (error != std::errc() || stop != end) {
    return std::nullopt;
  }
  text.remove_prefix(count);
  return number;
}

bool is_octal(char letter) {
  return letter >= '0' && letter <= '7';
}

/// Takes an escape sequence of Python 2's repr(); `left` begins after the backslash.
std::optional<char> take_escaped(std::string_view& left) {
  const char letter = left.front();
  if (is_octal(letter)) {
    std::size_t count = 1;
    while (count < 3 && count < left.size() && is_octal(left[count])) {
      ++count;
    }
    return static_cast<char>(take_digits(left, count, kOctal).value_or(0));
  }
  left.remove_prefix(1);
  switch (letter) {
  case 'n':
    return '\n';
  case 'r':
    return '\r';
  case 't':
    return '\t';
  case '\\':
  case '\'':
  case '"':
    return letter;
  case 'x': {
    const auto number = take_digits(left, 2, kHex);
    return number ? std::optional(static_cast<char>(*number)) : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

} // namespace

std::optional<std::string> bytes_of_repr(std::string_view line) {
  const bool is_quoted = line.size() >= 2 && line.front() == line.back() &&
                         (line.front() == '\'' || line.front() == '"');
  if (!is_quoted) {
    return std::nullopt;
  }
  std::string bytes;
  for (std::string_view left = line.substr(1, line.size() - 2); !left.empty();) {
    const char letter = left.front();
    left.remove_prefix(1);
    if (letter != '\\') {
      bytes += letter;
      continue;
    }
    const auto escaped = left.empty() ? std::nullopt : take_escaped(left);
    if (!escaped) {
      return std::nullopt;
    }
    bytes += *escaped;
  }
  return bytes;
}

std::optional<std::string> utf8_of_escapes(std::string_view line) {
  constexpr std::size_t kShortEscape = 4;
  constexpr std::size_t kLongEscape = 8;
  constexpr char32_t kFirstSurrogate = 0xD800;
  constexpr char32_t kLastSurrogate = 0xDFFF;
  std::string text;
  for (std::string_view left = line; !left.empty();) {
    const bool is_escape =
        left.front() == '\\' && left.size() > 1 && (left[1] == 'u' || left[1] == 'U');
    if (!is_escape) {
      append_utf8(text, static_cast<unsigned char>(left.front()));
      left.remove_prefix(1);
      continue;
    }
    const std::size_t digits = left[1] == 'u' ? kShortEscape : kLongEscape;
    left.remove_prefix(2);
    const auto letter = take_digits(left, digits, kHex);
    if (!letter || *letter > kLastLetter ||
        (*letter >= kFirstSurrogate && *letter <= kLastSurrogate)) {
      return std::nullopt;
    }
    append_utf8(text, *letter);
  }
  return text;
}

std::optional<std::string> bytes_of_latin1(std::string_view utf8) {
  constexpr unsigned kAscii = 0x80;    // a letter below it is one byte
  constexpr unsigned kTwoBytes = 0xC2; // or 0xC3: lead bytes of letters from 0x80 to 0xFF
  std::string bytes;
  bytes.reserve(utf8.size());
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    const auto byte = static_cast<unsigned char>(utf8[i]);
    if (byte < kAscii) {
      bytes += static_cast<char>(byte);
      continue;
    }
    const auto next = i + 1 < utf8.size() ? static_cast<unsigned char>(utf8[i + 1]) : 0U;
    if ((byte != kTwoBytes && byte != kTwoBytes + 1) || next >> 6 != 2) {
      return std::nullopt;
    }
    bytes += static_cast<char>((byte & 3U) << 6 | (next & 0x3FU));
    ++i;
  }
  return bytes;
}

std::size_t integer_size(std::string_view dtype) {
  for (const char* known : {"i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"}) {
    if (dtype == known) {
      return static_cast<std::size_t>(dtype[1] - '0');
    }
  }
  return 0;
}

std::optional<std::int64_t> integer_in(std::string_view bytes, std::string_view dtype,
                                       bool is_big_endian) {
  const std::size_t size = integer_size(dtype);
  if (size == 0 || bytes.size() != size) {
    return std::nullopt;
  }
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < size; ++i) {
    number = number << kBits | static_cast<unsigned char>(bytes[is_big_endian ? i : size - 1 - i]);
  }
  const std::size_t unused = kBits * (sizeof number - size);
  if (dtype.front() == 'i' && unused > 0 && number >> (kBits * size - 1) != 0) {
    number |= ~std::uint64_t{0} << (kBits * size); // extends the sign
  }
  return static_cast<std::int64_t>(number);
}

} // namespace sdbench

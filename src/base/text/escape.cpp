#include "sdbench/base/text/escape.h"

#include <algorithm>

#include "sdbench/base/text/utf8.h"

namespace sdbench {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

unsigned byte_at(std::string_view text, std::size_t index) {
  return static_cast<unsigned char>(text[index]);
}

/// True for U+202A to U+202E and U+2066 to U+2069. They show the following text from right to left,
/// so that a name could hide what it is. Letters of such scripts do not need them.
bool turns_text_around(std::string_view sequence) {
  const bool is_embedding = sequence >= "\xe2\x80\xaa" && sequence <= "\xe2\x80\xae";
  const bool is_isolate = sequence >= "\xe2\x81\xa6" && sequence <= "\xe2\x81\xa9";
  return sequence.size() == 3 && (is_embedding || is_isolate);
}

/// U+0000 to U+001F without tab and line ends, U+007F to U+009F.
bool is_harmful_control(std::string_view sequence) {
  const unsigned lead = byte_at(sequence, 0);
  if (sequence.size() == 1) {
    return lead == 0x7f || (lead < 0x20 && lead != '\t' && lead != '\n' && lead != '\r');
  }
  return (lead == 0xc2 && byte_at(sequence, 1) < 0xa0) || turns_text_around(sequence);
}

std::string escaped(std::string_view bytes, std::string_view backslash) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t length = valid_utf8_length(bytes);
    const std::string_view sequence = bytes.substr(0, length == 0 ? 1 : length);
    if (length == 0 || is_harmful_control(sequence)) {
      for (const char byte : sequence) {
        text += escape_byte(byte);
      }
    } else {
      text += sequence == "\\" ? backslash : sequence;
    }
    bytes.remove_prefix(sequence.size());
  }
  return text;
}

std::string without_line_ends(std::string text) {
  std::ranges::replace_if(
      text, [](char byte) { return byte == '\n' || byte == '\r' || byte == '\t'; }, ' ');
  return text;
}

/// For a shell, bytes above ASCII are letters of other alphabets.
bool is_plain(char letter) {
  return static_cast<unsigned char>(letter) >= 0x80 || is_letter_or_digit(letter) ||
         std::string_view("_-./:@%+=,").find(letter) != std::string_view::npos;
}

} // namespace

std::string hex_text(std::string_view bytes) {
  std::string hex;
  hex.reserve(2 * bytes.size());
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    hex += kHexDigits[value >> 4U];
    hex += kHexDigits[value & 15U];
  }
  return hex;
}

std::optional<char> byte_of_hex(std::string_view digits) {
  const std::size_t high = kHexDigits.find(digits[0]);
  const std::size_t low = kHexDigits.find(digits[1]);
  return high == std::string_view::npos || low == std::string_view::npos
             ? std::nullopt
             : std::optional(static_cast<char>(high * 16 + low));
}

std::string escape_byte(char byte) {
  return std::string("\\x").append(hex_text({&byte, 1}));
}

std::string escape_text(std::string_view bytes) {
  return escaped(bytes, "\\\\");
}

std::string unescape_text(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  while (!text.empty()) {
    std::size_t used = 1;
    char byte = text.front();
    if (text.starts_with("\\\\")) {
      used = 2;
    } else if (text.starts_with("\\x") && text.size() >= 4) {
      if (const std::optional<char> escaped_byte = byte_of_hex(text.substr(2, 2))) {
        byte = *escaped_byte;
        used = 4;
      }
    }
    bytes += byte;
    text.remove_prefix(used);
  }
  return bytes;
}

std::string one_line(std::string_view bytes) {
  return without_line_ends(escape_text(bytes));
}

std::string message_line(std::string_view bytes) {
  return without_line_ends(escaped(bytes, "\\"));
}

std::string without_colours(std::string_view text) {
  constexpr std::string_view kBegin = "\x1b[";
  std::string plain;
  for (std::size_t at = text.find(kBegin); at != std::string_view::npos; at = text.find(kBegin)) {
    plain += text.substr(0, at);
    text.remove_prefix(at + kBegin.size());
    const auto is_last = [](char c) { return c >= '@' && c <= '~'; };
    const auto last = std::ranges::find_if(text, is_last);
    text.remove_prefix(static_cast<std::size_t>(last - text.begin()) + (last != text.end()));
  }
  return plain + std::string(text);
}

std::string in_single_quotes(std::string_view text) {
  std::string quoted = "'";
  for (const char letter : text) {
    quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  }
  return quoted + "'";
}

std::string shell_word(std::string_view text) {
  if (!text.empty() && std::ranges::all_of(text, is_plain)) {
    return std::string(text);
  }
  return in_single_quotes(text);
}

} // namespace sdbench

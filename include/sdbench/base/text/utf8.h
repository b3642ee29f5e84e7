#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sdbench {

/// Decodes UTF-8 to code points. Invalid bytes become U+FFFD, as with Python's errors="replace"
/// (Unicode's "maximal subpart" rule). An incomplete sequence becomes one U+FFFD; every other
/// invalid byte becomes a U+FFFD of its own.
[[nodiscard]] std::u32string decode_utf8(std::string_view bytes);

/// Appends the UTF-8 encoding of a code point, which must be valid: not a surrogate, at most
/// U+10FFFF.
void append_utf8(std::string& text, char32_t code_point);

[[nodiscard]] std::string encode_utf8(std::u32string_view code_points);

/// Number of bytes of the first code point; 0 if `bytes` does not begin with valid UTF-8. `bytes`
/// must not be empty.
[[nodiscard]] std::size_t valid_utf8_length(std::string_view bytes);

/// Index of the first byte that is not part of valid UTF-8; nullopt if everything is valid.
[[nodiscard]] std::optional<std::size_t> first_invalid_utf8(std::string_view bytes);

/// Replaces every part of `bytes` that is not valid UTF-8 by U+FFFD, for JSON and PNG texts.
[[nodiscard]] std::string to_valid_utf8(std::string_view bytes);

/// True for A-Z, a-z and 0-9, independent of the locale.
[[nodiscard]] bool is_letter_or_digit(char byte);

/// Converts A-Z to a-z, independent of the locale; other bytes stay as they are.
[[nodiscard]] std::string in_small_letters(std::string text);
/// Converts a-z to A-Z, independent of the locale; other bytes stay as they are.
[[nodiscard]] std::string in_capitals(std::string text);

} // namespace sdbench

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sdbench {

/// Code points of `bytes`. Invalid UTF-8 becomes U+FFFD, like with Python's errors="replace"
/// (Unicode's "maximal subpart" rule): one U+FFFD for each longest prefix of a valid sequence, else
/// for each byte.
[[nodiscard]] std::u32string decode_utf8(std::string_view bytes);

/// Appends the UTF-8 form of a valid code point (not a surrogate, at most U+10FFFF).
void append_utf8(std::string& text, char32_t code_point);

[[nodiscard]] std::string encode_utf8(std::u32string_view code_points);

/// Index of the first byte that is not part of valid UTF-8; nullopt if all bytes are.
[[nodiscard]] std::optional<std::size_t> first_invalid_utf8(std::string_view bytes);

/// `bytes` with everything that is not UTF-8 replaced by U+FFFD, for JSON and PNG text.
[[nodiscard]] std::string to_valid_utf8(std::string_view bytes);

/// Converts A-Z to a-z, independent of the locale; other bytes stay.
[[nodiscard]] std::string in_small_letters(std::string text);

} // namespace sdbench

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Decoders for the text in pickles of older protocols, as Python's Lib/pickle.py reads it. They
// return nullopt for malformed text.

namespace sdbench {

/// The bytes of a str that Python 2's repr() has written with quotes, such as 'a\x00\''.
[[nodiscard]] std::optional<std::string> bytes_of_repr(std::string_view line);

/// Decodes a str from Python's codec raw-unicode-escape to UTF-8. Each byte is a latin1 character;
/// \uXXXX and \UXXXXXXXX are any character.
[[nodiscard]] std::optional<std::string> utf8_of_escapes(std::string_view line);

/// Does the same as Python's str.encode("latin1"), with which Python 3 stores bytes in protocols
/// that have no type for them.
[[nodiscard]] std::optional<std::string> bytes_of_latin1(std::string_view utf8);

/// The number in `bytes`, for numpy's integer dtypes such as "i8" and "u1"; empty for another dtype
/// or length.
[[nodiscard]] std::optional<std::int64_t> integer_in(std::string_view bytes, std::string_view dtype,
                                                     bool is_big_endian);

/// Size of a number of such a dtype, in bytes; 0 for another dtype.
[[nodiscard]] std::size_t integer_size(std::string_view dtype);

} // namespace sdbench

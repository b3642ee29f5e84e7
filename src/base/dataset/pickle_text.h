#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Decoders of text that older protocols write; form: Python's Lib/pickle.py. They return nullopt
// for malformed text.

namespace sdbench {

/// The bytes of a str in Python 2's repr(), quotes included, like 'a\x00\''.
[[nodiscard]] std::optional<std::string> bytes_of_repr(std::string_view line);

/// The UTF-8 of a str in the codec raw-unicode-escape: bytes are letters of latin1; \uXXXX and
/// \UXXXXXXXX are any letter.
[[nodiscard]] std::optional<std::string> utf8_of_escapes(std::string_view line);

/// str.encode("latin1"): Python 3 uses it for bytes in protocols without a bytes type.
[[nodiscard]] std::optional<std::string> bytes_of_latin1(std::string_view utf8);

/// The number in `bytes`, for numpy's integer dtypes such as "i8" and "u1"; nothing for another
/// dtype or length.
[[nodiscard]] std::optional<std::int64_t> integer_in(std::string_view bytes, std::string_view dtype,
                                                     bool is_big_endian);

/// Bytes of a number of such a dtype; 0 for another dtype.
[[nodiscard]] std::size_t integer_size(std::string_view dtype);

} // namespace sdbench

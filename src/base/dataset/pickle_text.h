#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// What the older protocols write in letters; Python's Lib/pickle.py says how. Nothing for what is
// no such text.

namespace sdbench {

/// The bytes of Python 2's 'a\x00\'': a str as repr() shows it, quotes included.
[[nodiscard]] std::optional<std::string> bytes_of_repr(std::string_view line);

/// The UTF-8 of a str in the codec raw-unicode-escape: bytes are letters of latin1, \uXXXX and
/// \UXXXXXXXX any.
[[nodiscard]] std::optional<std::string> utf8_of_escapes(std::string_view line);

/// str.encode("latin1"): how Python 3 writes bytes in protocols that have none.
[[nodiscard]] std::optional<std::string> bytes_of_latin1(std::string_view utf8);

/// Of numpy's dtypes of whole numbers, "i8" and "u1": the number in `bytes`; nothing for another
/// dtype or length.
[[nodiscard]] std::optional<std::int64_t> integer_in(std::string_view bytes, std::string_view dtype,
                                                     bool is_big_endian);

/// Bytes of one of them; 0 of another dtype.
[[nodiscard]] std::size_t integer_size(std::string_view dtype);

} // namespace sdbench

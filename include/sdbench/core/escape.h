#pragma once

#include <string>
#include <string_view>

namespace sdbench {

/// Any bytes as valid UTF-8 that can be turned back: each byte that is not part of well-formed
/// UTF-8 becomes \xNN, and a backslash becomes two. File names and labels may hold any bytes;
/// records are UTF-8.
[[nodiscard]] std::string escape_text(std::string_view bytes);
/// Inverse of escape_text. A backslash that starts neither form stays as it is.
[[nodiscard]] std::string unescape_text(std::string_view text);

/// For terminals and one-line messages: escaped, and every control character (line ends too)
/// becomes a blank.
[[nodiscard]] std::string one_line(std::string_view bytes);

} // namespace sdbench

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sdbench {

/// What shows a text to people.
struct Screen {
  std::size_t width = 0; ///< in columns; 0: lines may be as long as they are
  bool colour = false;   ///< ANSI codes are understood
  bool ascii = false;    ///< nothing but ASCII is shown
};

/// Any bytes as one line that the screen can show. What is laid out must be this, for a character
/// takes more columns in ASCII.
[[nodiscard]] std::string line_on(const Screen& screen, std::string_view text);

/// The same of a command, in which a backslash stays one.
[[nodiscard]] std::string command_on(const Screen& screen, std::string_view command);

/// The text between the ANSI codes of a style ("1": bold, "32": green), or as it is.
[[nodiscard]] std::string styled(std::string_view code, std::string_view text, bool colour);

} // namespace sdbench

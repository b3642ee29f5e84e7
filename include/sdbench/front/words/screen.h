#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sdbench {

/// The device that shows a text to people.
struct Screen {
  std::size_t width = 0; ///< in columns; 0: unlimited
  bool colour = false;   ///< it understands ANSI codes
  bool ascii = false;    ///< it shows only ASCII
};

/// Any bytes as one line that the screen can show. Apply it before layout, because a character may
/// take more columns in ASCII.
[[nodiscard]] std::string line_on(const Screen& screen, std::string_view text);

/// The same for a command, in which backslashes are kept.
[[nodiscard]] std::string command_on(const Screen& screen, std::string_view command);

/// The text between the ANSI codes of a style ("1": bold, "32": green), or as it is.
[[nodiscard]] std::string styled(std::string_view code, std::string_view text, bool colour);

} // namespace sdbench

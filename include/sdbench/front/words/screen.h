#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sdbench {

/// Properties of the screen on which text is shown.
struct Screen {
  std::size_t width = 0; ///< in columns; 0: unlimited
  bool colour = false;   ///< true: it understands ANSI colour codes
  bool ascii = false;    ///< true: it shows only ASCII
};

/// Converts any bytes to one line that the screen can show. Call it before computing a layout,
/// because the ASCII form of a character may take more columns.
[[nodiscard]] std::string line_on(const Screen& screen, std::string_view text);

/// Converts a command as line_on() does, but does not double backslashes.
[[nodiscard]] std::string command_on(const Screen& screen, std::string_view command);

/// If `colour` is true, encloses the text in ANSI codes for a style ("1": bold, "32": green); else
/// returns it unchanged.
[[nodiscard]] std::string styled(std::string_view code, std::string_view text, bool colour);

} // namespace sdbench

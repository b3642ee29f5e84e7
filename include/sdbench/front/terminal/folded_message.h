#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>

#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// Folds a message into lines of at most `width` columns (0: leaves it unchanged). Breaks it
/// between words and indents all lines but the first and those of commands. Never breaks what
/// people copy, even if it is too wide: a single word (such as a path), an option with its value,
/// or a command. Each command gets a line of its own. A line that only the terminal wraps is copied
/// without a line break. The result has no line end at its end.
[[nodiscard]] std::string folded_message(const std::string& line, std::size_t width);

/// Writes any bytes to `err` as a folded message, in a form that its terminal can show.
void write_message(std::ostream& err, const LiveTerminal& terminal, std::string_view bytes);

} // namespace sdbench

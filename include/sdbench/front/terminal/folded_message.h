#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>

#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// Folds a message into lines of at most `width` columns (0: leaves it unchanged). Breaks it
/// between words and indents all lines but the first. Text that people copy is never broken, even
/// if it is too wide: a word such as a path, an option with its value, and a command, which gets
/// its own line. Users can copy such a line without a line break even if the terminal wraps it. The
/// result has no line end at its end.
[[nodiscard]] std::string folded_message(const std::string& line, std::size_t width);

/// Writes any bytes to `err` as a folded message, in a form that its terminal can show.
void write_message(std::ostream& err, const LiveTerminal& terminal, std::string_view bytes);

} // namespace sdbench

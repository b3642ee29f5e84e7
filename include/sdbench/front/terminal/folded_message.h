#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>

#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// Folds one line for people into lines of at most `width` columns (0: unchanged), between words
/// and with later lines indented. Text that people copy stays whole, however wide: a word (a path),
/// an option with its value, and a command, which gets its own line. A line that the terminal wraps
/// is copied without a break. No line end at the end.
[[nodiscard]] std::string folded_message(const std::string& line, std::size_t width);

/// Writes any bytes as such a message, in a form that the terminal of `err` can show.
void write_message(std::ostream& err, const LiveTerminal& terminal, std::string_view bytes);

} // namespace sdbench

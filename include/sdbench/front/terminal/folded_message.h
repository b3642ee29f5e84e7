#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>

#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// Folds a message into lines of at most `width` columns. Leaves it unchanged if it fits, or if
/// `width` is 0. Breaks it between words. Indents all lines except the first and the lines of
/// commands. Each command gets a line of its own. Never breaks what people copy: a single word
/// (such as a path), an option with its value, or a command. If one of these is too wide, the
/// terminal wraps it, which adds no line break to a copy. The result has no line end at its end.
[[nodiscard]] std::string folded_message(const std::string& line, std::size_t width);

/// Writes any bytes to `err` as a folded message, in a form that `terminal` can show.
void write_message(std::ostream& err, const LiveTerminal& terminal, std::string_view bytes);

} // namespace sdbench

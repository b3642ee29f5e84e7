#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>

#include "sdbench/front/cli/streams.h"

namespace sdbench {

/// One line for people as lines of at most `width` columns (0: as it is), folded between words, the
/// later ones indented. What somebody copies stays whole, however wide it is, for a terminal's own
/// wrapping is not copied with it: a word (a path), an option with its value, and a command, which
/// stands on a line of its own. Without a line end.
[[nodiscard]] std::string folded_message(const std::string& line, std::size_t width);

/// Writes any bytes as such a message, as the terminal that `err` is can show it.
void write_message(std::ostream& err, const LiveTerminal& terminal, std::string_view bytes);

} // namespace sdbench

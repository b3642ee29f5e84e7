#pragma once

#include <string>
#include <string_view>

namespace sdbench {

/// Any bytes as valid UTF-8, reversibly. Each byte that is not part of well-formed UTF-8, or is
/// part of a control character other than tab and line ends, becomes \xNN; a backslash becomes two.
/// File names and a worker's last words may have any bytes, but records are UTF-8, and showing them
/// must not control the terminal.
[[nodiscard]] std::string escape_text(std::string_view bytes);
/// One byte as \xNN, for any byte.
[[nodiscard]] std::string escape_byte(char byte);
/// Inverse of escape_text. A backslash that starts neither form stays as it is.
[[nodiscard]] std::string unescape_text(std::string_view text);

/// Removes everything that controls a terminal, such as the colours of another program's words.
[[nodiscard]] std::string without_colours(std::string_view text);

/// For terminals: escaped, with blanks for tabs and line ends.
[[nodiscard]] std::string one_line(std::string_view bytes);

/// The same for a whole message, whose parts may be escaped already: a backslash stays single.
[[nodiscard]] std::string message_line(std::string_view bytes);

/// The text in single quotes for sh, bash and zsh.
[[nodiscard]] std::string in_single_quotes(std::string_view text);

/// A word for a command in a message, so that a POSIX shell reads it back: in single quotes unless
/// it has only letters, digits and characters that are usual in paths.
[[nodiscard]] std::string shell_word(std::string_view text);

} // namespace sdbench

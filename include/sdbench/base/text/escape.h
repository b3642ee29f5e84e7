#pragma once

#include <string>
#include <string_view>

namespace sdbench {

/// Any bytes as valid UTF-8 that can be turned back: each byte that is not part of well-formed
/// UTF-8, or is part of a control character other than tab and line ends, becomes \xNN, and a
/// backslash becomes two. File names and a worker's last words may hold any bytes; records are
/// UTF-8, and looking at them must not command the terminal.
[[nodiscard]] std::string escape_text(std::string_view bytes);
/// One byte as \xNN, whatever it is.
[[nodiscard]] std::string escape_byte(char byte);
/// Inverse of escape_text. A backslash that starts neither form stays as it is.
[[nodiscard]] std::string unescape_text(std::string_view text);

/// Without what commands a terminal, such as the colours of another program's words.
[[nodiscard]] std::string without_colours(std::string_view text);

/// For terminals: escaped, and tabs and line ends become blanks.
[[nodiscard]] std::string one_line(std::string_view bytes);

/// The same for a whole message, whose parts may be escaped already: a backslash stays one.
[[nodiscard]] std::string message_line(std::string_view bytes);

/// In single quotes, as sh, bash and zsh take them.
[[nodiscard]] std::string in_single_quotes(std::string_view text);

/// A word of a command that a message advises, as a POSIX shell reads it back: in single quotes
/// unless it has only letters, digits and characters that are usual in paths.
[[nodiscard]] std::string shell_word(std::string_view text);

} // namespace sdbench

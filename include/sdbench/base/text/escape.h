#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sdbench {

/// Converts any bytes to valid UTF-8, reversibly. Bytes that are not part of well-formed UTF-8
/// become \xNN, and so do the bytes of control characters other than tab and line ends. A backslash
/// becomes two backslashes. Reason: file names and a worker's stderr may contain any bytes, but
/// records are UTF-8, and text that is shown must not control the terminal.
[[nodiscard]] std::string escape_text(std::string_view bytes);
/// The bytes as pairs of lower-case hexadecimal digits: "00ff".
[[nodiscard]] std::string hex_text(std::string_view bytes);

/// Converts two lower-case hexadecimal digits to a byte; nullopt if one is not such a digit.
[[nodiscard]] std::optional<char> byte_of_hex(std::string_view digits);

/// Writes any byte as \xNN.
[[nodiscard]] std::string escape_byte(char byte);
/// The inverse of escape_text. A backslash that begins neither \xNN nor \\ stays as it is.
[[nodiscard]] std::string unescape_text(std::string_view text);

/// Removes terminal control sequences (ESC [ …), such as colours in another program's output.
[[nodiscard]] std::string without_colours(std::string_view text);

/// Text for one line of a terminal: escaped by escape_text, with spaces instead of tabs and line
/// ends.
[[nodiscard]] std::string one_line(std::string_view bytes);

/// Like one_line(), for a message whose parts may already be escaped: does not double backslashes.
[[nodiscard]] std::string message_line(std::string_view bytes);

/// The text in single quotes, for sh, bash and zsh.
[[nodiscard]] std::string in_single_quotes(std::string_view text);

/// Writes `text` as one word of a POSIX shell command, for messages: in single quotes, unless it
/// has only letters, digits and characters that are usual in paths.
[[nodiscard]] std::string shell_word(std::string_view text);

} // namespace sdbench

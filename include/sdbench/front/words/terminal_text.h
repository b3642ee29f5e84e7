#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sdbench {

/// Number of terminal columns that a UTF-8 text takes. A wide character (East Asian, emoji) takes
/// two; combining characters and colour codes take none.
[[nodiscard]] std::size_t columns_of(std::string_view text);

/// Byte offset of the first character that does not fit into `columns` columns; the text's size if
/// all fit.
[[nodiscard]] std::size_t place_behind(std::string_view text, std::size_t columns);

/// Cuts a text that is wider than `columns` columns to that width, with an ellipsis at its end.
[[nodiscard]] std::string cut_to(const std::string& text, std::size_t columns);

/// Wraps one line to at most `width` columns (0: no limit). All lines but the first are indented by
/// `indent` columns. Breaks between words, and within a word only if it is longer than a line. The
/// result ends with a line end.
[[nodiscard]] std::string wrapped(const std::string& text, std::size_t width, std::size_t indent);

/// Wraps the text's lines that are wider than `width` columns (0: no limit). Continuation lines
/// are indented by four columns more than the line itself.
[[nodiscard]] std::string wrapped_lines(const std::string& text, std::size_t width);

/// Formats a row of a table that is too wide for the terminal: a title, and below it a line "  name
/// value" for each value that is not empty.
[[nodiscard]] std::string
block_text(const std::string& title,
           const std::vector<std::pair<std::string, std::string>>& values);

/// Converts a text to ASCII, for terminals that show nothing else. "…" becomes "...", "±" becomes
/// "+-"; characters without an ASCII form become "?".
[[nodiscard]] std::string in_ascii(std::string_view text);

} // namespace sdbench

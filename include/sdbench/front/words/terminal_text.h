#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sdbench {

/// Columns of a terminal that UTF-8 takes: two for each wide character (East Asian, emoji), none
/// for a combining one and for the codes of colours.
[[nodiscard]] std::size_t columns_of(std::string_view text);

/// The text's place behind the characters that `columns` have room for.
[[nodiscard]] std::size_t place_behind(std::string_view text, std::size_t columns);

/// Cuts the text to at most `columns` columns; an ellipsis replaces the end.
[[nodiscard]] std::string cut_to(const std::string& text, std::size_t columns);

/// Wraps one line to at most `width` columns (0: no limit). Indents all lines but the first by
/// `indent`. Breaks between words, and within a word only if it is longer than a line. Ends with a
/// line end.
[[nodiscard]] std::string wrapped(const std::string& text, std::size_t width, std::size_t indent);

/// Wraps each line of a text that is too wide; continuations are indented by four more than the
/// line.
[[nodiscard]] std::string wrapped_lines(const std::string& text, std::size_t width);

/// A row of a table that is too wide for the terminal: what it is, and below it a line "  name
/// value" for each of the values that are not empty.
[[nodiscard]] std::string
block_text(const std::string& title,
           const std::vector<std::pair<std::string, std::string>>& values);

/// ASCII form, for terminals that show nothing else: "…" becomes "...", "±" becomes "+-",
/// characters without such a form become "?".
[[nodiscard]] std::string in_ascii(std::string_view text);

} // namespace sdbench

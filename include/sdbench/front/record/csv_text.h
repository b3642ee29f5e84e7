#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// One line of CSV (RFC 4180, but with a single line feed at its end, which line tools prefer): the
/// already quoted or bare fields with commas between.
[[nodiscard]] std::string csv_line(const std::vector<std::string>& fields);
/// The text in quotes, its own quotes doubled.
[[nodiscard]] std::string csv_quoted(std::string_view text);

/// The field of an escaped text (escape_text), in quotes. A first byte that makes a spreadsheet
/// compute the text (=, +, -, @, tab, carriage return) is escaped too, as \x3d. unescape_text
/// inverts both.
[[nodiscard]] std::string csv_text(std::string_view escaped);

/// Rows of a CSV text: quoted fields with commas, quotes and line ends in them; lines may end in LF
/// or CR LF. Throws Error naming the line for an unclosed quote or text behind a closing one.
[[nodiscard]] std::vector<std::vector<std::string>> parse_csv(std::string_view text);

} // namespace sdbench

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

/// A text that is escaped (escape_text) as a field: in quotes, and where a spreadsheet would
/// compute it (=, +, -, @, a tab or a carriage return begins it) with that byte escaped, too, as
/// \x3d. unescape_text gives it back.
[[nodiscard]] std::string csv_text(std::string_view escaped);

/// Rows of a CSV text: quoted fields with commas, quotes and line ends in them; lines may end in LF
/// or CR LF. Throws Error naming the line for an unclosed quote or text behind a closing one.
[[nodiscard]] std::vector<std::vector<std::string>> parse_csv(std::string_view text);

} // namespace sdbench

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// One line of CSV as in RFC 4180, but ending in a single line feed, which line-based tools prefer.
/// Joins the fields with commas; they must already be quoted where necessary.
[[nodiscard]] std::string csv_line(const std::vector<std::string>& fields);
/// The text in double quotes, with each double quote inside it doubled.
[[nodiscard]] std::string csv_quoted(std::string_view text);

/// The quoted CSV field of a text that escape_text() has escaped. Some first bytes make a
/// spreadsheet treat a text as a formula: =, +, -, @, tab and carriage return. Such a first byte is
/// also escaped: = becomes \x3d. unescape_text() restores the text.
[[nodiscard]] std::string csv_text(std::string_view escaped);

/// Splits a CSV text into rows of fields. Quoted fields may contain commas, quotes and line ends;
/// lines may end in LF or CR LF. For an unclosed quote, or text after a closing quote, throws Error
/// that names the line.
[[nodiscard]] std::vector<std::vector<std::string>> parse_csv(std::string_view text);

} // namespace sdbench

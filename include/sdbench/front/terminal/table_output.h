#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/results/bad_row.h"
#include "sdbench/front/terminal/streams.h"
#include "sdbench/front/words/view_table.h"

namespace sdbench {

/// Prints one line for each problem. Of rows and files that were left out, prints only the first
/// 20, and then how many more there are.
void say_remarks(const ReadRemarks& remarks, const Streams& streams);

/// Where a command writes its tables, and in which format.
struct TableOutput {
  const std::filesystem::path& file; ///< empty: write to the terminal
  const std::string& format;         ///< value of --format
};

/// Throws Error if the output file already exists and `is_ours` does not recognise its contents. A
/// table can be made again in a second, but the existing contents may be lost for good. `what`
/// names the table in the error message: "a trend".
void refuse_to_replace_others(const TableOutput& output,
                              bool (*is_ours)(std::string_view text, std::string_view format),
                              const std::string& what);

/// The views in a format for people, one below the other, fitted to the terminal or to a page.
[[nodiscard]] std::string text_of_views(const std::vector<View>& views, const TableOutput& output,
                                        const Streams& streams);

/// Prints the text, or writes it to the output file. If the format has comments, the file begins
/// with a comment that names `command`, so that this command recognises its own files later. Tells
/// the user if Markdown is too long for a comment on GitHub.
void put_tables(const std::string& text, const TableOutput& output, std::string_view command,
                const Streams& streams);

} // namespace sdbench

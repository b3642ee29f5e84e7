#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/terminal/streams.h"
#include "sdbench/front/words/view_table.h"

namespace sdbench {

/// The place and the form in which a command writes its tables.
struct TableOutput {
  const std::filesystem::path& file; ///< empty: the terminal
  const std::string& format;         ///< of --format
};

/// A table is made again in a second; what it would replace may not be. Throws Error where the file
/// holds what `is_ours` does not know; `what` names the table: "a trend".
void refuse_to_replace_others(const TableOutput& output,
                              bool (*is_ours)(std::string_view text, std::string_view format),
                              const std::string& what);

/// The views in a form for people, one below the other: fitted to the terminal or to a page.
[[nodiscard]] std::string text_of_views(const std::vector<View>& views, const TableOutput& output,
                                        const Streams& streams);

/// Shows the text, or writes it with the mark of `command`, by which that knows it again. Says
/// where Markdown is too long for a comment.
void put_tables(const std::string& text, const TableOutput& output, std::string_view command,
                const Streams& streams);

} // namespace sdbench

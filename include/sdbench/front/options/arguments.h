#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace sdbench {

/// Adds an option that takes one text and may be given several times. option->results() has the
/// texts as typed, except that "~" in a path becomes the home folder. No text is split
/// into a list, and there is no default.
CLI::Option* add_text_option(CLI::App& app, const std::string& names, const std::string& value_name,
                             const std::string& help, const std::string& group);

CLI::Option* add_flag(CLI::App& app, const std::string& names, const std::string& help,
                      const std::string& group);

/// The value of an option that may be given once; `otherwise` if it is not given. Throws UsageError
/// if it is given twice.
[[nodiscard]] std::string single_value(const CLI::Option* option,
                                       const std::string& otherwise = "");

/// Adds --overwrite, for commands that may replace a file.
CLI::Option* add_overwrite_flag(CLI::App& app, const std::string& group);

/// A section for the end of a help text: the title, then names and their meanings in two columns.
[[nodiscard]] std::string
help_section(const std::string& title,
             const std::vector<std::pair<std::string, std::string>>& rows);

/// A command's arguments, split into the leading word ("models" in `list models`) and `rest`, which
/// goes to parse_arguments. A "--" before the word becomes part of `rest`. The word is empty if
/// --help comes first, or if there are no arguments.
struct LeadingWord {
  std::string word;
  bool asks_for_help = false;
  std::vector<std::string> rest;
};
[[nodiscard]] LeadingWord leading_word(const std::vector<std::string>& arguments);

/// If this is a command's only argument, the command prints its options as JSON on `out`. The
/// manual page and shell completion are made from that JSON: {"description", "footer", "options":
/// [{"names", "value", "help", "group"}]}.
inline constexpr std::string_view kDescribeOptions = "--describe-options";

/// Parses the arguments with the options of `app`, to which it adds --help. Returns false after
/// --help or kDescribeOptions, whose output it writes to `out`. Throws UsageError for an unknown
/// option, a missing value, an empty path, or a surplus argument. The error's message is one line
/// and suggests the most similar option. If `others` is given, the arguments that `app` does not
/// know are stored there in order, to be passed to another program.
[[nodiscard]] bool parse_arguments(CLI::App& app, const std::vector<std::string>& arguments,
                                   std::ostream& out, std::vector<std::string>* others = nullptr);

/// Adds --title, whose text stands above a page or a table.
CLI::Option* add_title_option(CLI::App& app, const std::string& group);
/// The value of --title; empty if it was not given. Throws UsageError if it is not one line of
/// text, if it is too long, or if `format` is a data format such as "csv".
[[nodiscard]] std::string checked_title(const CLI::Option& option, std::string_view format);

} // namespace sdbench

#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace sdbench {

/// Adds an option that takes one text each time it is given, exactly as it was typed (no list
/// syntax, no defaults). Its texts are option->results().
CLI::Option* add_text_option(CLI::App& app, const std::string& names, const std::string& value_name,
                             const std::string& help, const std::string& group);

CLI::Option* add_flag(CLI::App& app, const std::string& names, const std::string& help,
                      const std::string& group);

/// The value of an option that may be given once, or `otherwise`. Throws UsageError if it is given
/// twice.
[[nodiscard]] std::string single_value(const CLI::Option* option,
                                       const std::string& otherwise = "");

/// --overwrite of commands that replace a file.
CLI::Option* add_overwrite_flag(CLI::App& app, const std::string& group);

/// A section for a help's footer: the title, and below it names and meanings in two columns.
[[nodiscard]] std::string
help_section(const std::string& title,
             const std::vector<std::pair<std::string, std::string>>& rows);

/// The first word of a subcommand ("models" in `list models`), and the arguments for
/// parse_arguments. A "--" before the word is passed on in `rest`. The word is empty if help is
/// asked for first, or if there are no arguments.
struct LeadingWord {
  std::string word;
  bool asks_for_help = false;
  std::vector<std::string> rest;
};
[[nodiscard]] LeadingWord leading_word(const std::vector<std::string>& arguments);

/// As a command's only argument, prints a description of its options as JSON on `out`, from which
/// the manual page and completion are made: {"description", "footer", "options": [{"names",
/// "value", "help", "group"}]}.
inline constexpr std::string_view kDescribeOptions = "--describe-options";

/// Parses, with --help added to the options of `app`. Returns false after --help or
/// kDescribeOptions, whose output is then on `out`. Throws UsageError (one line, with the likeliest
/// option) for an unknown option, a missing value, an empty path, and a surplus argument. With
/// `others`, arguments that `app` does not know go there in order, for a different program.
[[nodiscard]] bool parse_arguments(CLI::App& app, const std::vector<std::string>& arguments,
                                   std::ostream& out, std::vector<std::string>* others = nullptr);

/// Adds --title, whose text stands above a page or a table.
CLI::Option* add_title_option(CLI::App& app, const std::string& group);
/// The title; empty where none was given. Throws UsageError where it is not one line of text, is
/// too long, or `format` is one of data.
[[nodiscard]] std::string checked_title(const CLI::Option& option, std::string_view format);

} // namespace sdbench

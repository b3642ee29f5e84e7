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

/// --overwrite of commands that replace a file.
CLI::Option* add_overwrite_flag(CLI::App& app, const std::string& group);

/// For a help's footer: the title, and below it each name with what it means, as one column each.
[[nodiscard]] std::string
help_section(const std::string& title,
             const std::vector<std::pair<std::string, std::string>>& rows);

/// The word that a subcommand begins with ("models" of `list models`), and the arguments for
/// parse_arguments. "--" before the word ends the options for these, too; a request for help stands
/// among them, and the word is empty, as it is where nothing is there.
struct LeadingWord {
  std::string word;
  bool asks_for_help = false;
  std::vector<std::string> rest;
};
[[nodiscard]] LeadingWord leading_word(const std::vector<std::string>& arguments);

/// Alone in place of a command's options it asks for their description as JSON on `out`, of which
/// the manual page and completion are made: {"description", "footer", "options": [{"names",
/// "value", "help", "group"}]}.
inline constexpr std::string_view kDescribeOptions = "--describe-options";

/// Parses, with --help added to the options of `app`. False if --help or kDescribeOptions was asked
/// for, which is then on `out`. Throws UsageError (one line, with the likeliest option) for an
/// unknown option, a missing value, a path that is empty, and an argument too many. With `others`
/// these are another program's: what `app` does not know stands there, in order.
[[nodiscard]] bool parse_arguments(CLI::App& app, const std::vector<std::string>& arguments,
                                   std::ostream& out, std::vector<std::string>* others = nullptr);

} // namespace sdbench

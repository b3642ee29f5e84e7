#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// An option or a positional argument, as described in a command's help.
struct DescribedOption {
  std::vector<std::string> names; ///< "-m", "--model"; empty: a positional argument
  std::string value;              ///< "NAME|PATH", "FILES"; empty: the option takes no value
  std::string help;
  std::string group;                ///< heading of the option's group in the help
  std::vector<std::string> choices; ///< the possible values, if the help lists them
};

/// A command with all that its --help shows.
struct DescribedCommand {
  std::string words;       ///< the command as it is typed: "list models"
  std::string summary;     ///< in a few words
  std::string description; ///< text above the options
  std::string footer;      ///< text below the options, with its line breaks
  std::string behind_end;  ///< another command whose options may follow "--": "run"; empty: none
  std::vector<DescribedOption> options;
};

/// All commands, in the order of kCommandLines. Asks each command to describe its own options, so
/// that no option is missing. Throws Error if a command cannot describe them.
[[nodiscard]] std::vector<DescribedCommand> described_commands();

/// The values that a help text lists at its beginning or after ": ". "leading, linspace or trailing
/// (the model's)" gives {"leading", "linspace", "trailing"}; "on stdout: table or csv" gives
/// {"table", "csv"}. Empty if there is no such list.
[[nodiscard]] std::vector<std::string> listed_choices(std::string_view help);

} // namespace sdbench

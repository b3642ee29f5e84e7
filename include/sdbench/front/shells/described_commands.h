#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// An option as in a command's help, or a positional argument.
struct DescribedOption {
  std::vector<std::string> names; ///< "-m", "--model"; empty: a positional argument
  std::string value;              ///< "NAME|PATH", "FILES"; empty: a flag
  std::string help;
  std::string group;                ///< its heading in the help
  std::vector<std::string> choices; ///< the possible values, if they are a list
};

/// A command with all that its --help says.
struct DescribedCommand {
  std::string words;       ///< "list models"
  std::string summary;     ///< in a few words
  std::string description; ///< above the options
  std::string footer;      ///< below the options, with its line breaks
  std::string behind_end;  ///< the command whose options follow --: "run"; empty: none
  std::vector<DescribedOption> options;
};

/// All commands, in the order of kCommandLines. Each command describes its own options, so that no
/// option is missing. Throws Error if a command does not.
[[nodiscard]] std::vector<DescribedCommand> described_commands();

/// The words that a help text lists at its beginning: {"leading", "linspace", "trailing"} for
/// "leading, linspace or trailing (the model's)", {"on", "off"} for "of train: on or off"; empty
/// for a different beginning.
[[nodiscard]] std::vector<std::string> listed_choices(std::string_view help);

} // namespace sdbench

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// An option of a command as its help has it, or what may follow the command.
struct DescribedOption {
  std::vector<std::string> names; ///< "-m", "--model"; none: it follows the command
  std::string value;              ///< "NAME|PATH", "FILES"; empty: a flag
  std::string help;
  std::string group;                ///< its heading in the help
  std::vector<std::string> choices; ///< what the value may be, as far as that is a list
};

/// A command with all that its --help says.
struct DescribedCommand {
  std::string words;       ///< "list models"
  std::string summary;     ///< in a few words
  std::string description; ///< above the options
  std::string footer;      ///< below them: lines as they are to stand
  std::string behind_end;  ///< the command whose options follow --: "run"; empty: none
  std::vector<DescribedOption> options;
};

/// All commands, in the order of kCommandLines. Each command tells its own options, so what is made
/// of them lacks none. Throws Error where one does not.
[[nodiscard]] std::vector<DescribedCommand> described_commands();

/// The words that a help's text lists before it goes on: {"leading", "linspace", "trailing"} of
/// "leading, linspace or trailing (the model's)", {"on", "off"} of "of train: on or off"; empty
/// where it begins otherwise.
[[nodiscard]] std::vector<std::string> listed_choices(std::string_view help);

} // namespace sdbench

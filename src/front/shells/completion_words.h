#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/shells/described_commands.h"

namespace sdbench {

/// A word that may follow sdbench. A word such as "list" begins several commands.
struct FirstWord {
  std::string word;
  std::string summary;
  std::vector<std::string> subjects;  ///< "models"; empty if the word is a whole command
  std::vector<std::string> summaries; ///< one per subject
};

/// The first words of all commands, each once, in the order of the commands.
[[nodiscard]] std::vector<FirstWord> first_words(std::span<const DescribedCommand> commands);

/// What a shell offers behind an option, or as an argument of a command.
enum class Offered { kChoices, kFiles, kNothing };
[[nodiscard]] Offered offered_behind(const DescribedOption& option);

/// The text with a backslash before each of these letters.
[[nodiscard]] std::string escaped(std::string_view text, std::string_view letters);

/// The words with spaces between. Letters that mean something to a shell have a backslash before
/// them.
[[nodiscard]] std::string bare_words(const std::vector<std::string>& words);

} // namespace sdbench

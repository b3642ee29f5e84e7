#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/shells/described_commands.h"

namespace sdbench {

/// What may follow sdbench, and, of a word such as "list", the commands that it begins.
struct FirstWord {
  std::string word;
  std::string summary;
  std::vector<std::string> subjects;  ///< "models"; none: the word is a command
  std::vector<std::string> summaries; ///< of the subjects
};

/// In the order of the commands.
[[nodiscard]] std::vector<FirstWord> first_words(std::span<const DescribedCommand> commands);

/// What a shell offers behind an option, or in place of what follows a command.
enum class Offered { kChoices, kFiles, kNothing };
[[nodiscard]] Offered offered_behind(const DescribedOption& option);

/// With a backslash before each of these letters.
[[nodiscard]] std::string escaped(std::string_view text, std::string_view letters);

/// Words, apart by spaces, of which no letter means something to a shell.
[[nodiscard]] std::string bare_words(const std::vector<std::string>& words);

} // namespace sdbench

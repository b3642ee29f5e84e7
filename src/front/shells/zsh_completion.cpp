#include "sdbench/front/shells/completions.h"

#include <cstddef>
#include <string_view>
#include <vector>

#include "completion_words.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/listed.h"

namespace sdbench {
namespace {

/// The part that does not depend on the options. The file is the body of the function _sdbench.
constexpr std::string_view kZshHead =
    R"(#compdef sdbench
# Completion of sdbench's command line in zsh, made of its options. Its folder must be in fpath before compinit runs.
local command=run
local -a found
)";

/// A word with its meaning, in the form that _describe takes.
std::string described_word(std::string_view word, std::string_view summary) {
  return " " + in_single_quotes(escaped(word, "\\:") + ":" + std::string(summary));
}

/// Completes commands. Removes the line's first words, so that _arguments sees only options.
std::string zsh_commands(const std::vector<FirstWord>& words) {
  std::string all;
  std::string subjects;
  for (const FirstWord& first : words) {
    all += described_word(first.word, first.summary);
    if (first.subjects.empty()) {
      continue;
    }
    subjects += first.word + ")\n  if (( CURRENT == 3 )); then\n    found=(";
    for (std::size_t i = 0; i < first.subjects.size(); ++i) {
      subjects += described_word(first.subjects[i], first.summaries[i]);
    }
    subjects += " )\n    _describe subject found\n    return\n  fi\n"
                "  command=\"$words[2] $words[3]\"\n  shift 2 words\n  (( CURRENT -= 2 ))\n  ;;\n";
  }
  return "if (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then\n  found=(" + all +
         " )\n  _describe command found\n  return\nfi\ncase $words[2] in\n" + subjects +
         "-*) ;;\n*)\n  command=$words[2]\n  shift words\n  (( CURRENT -= 1 ))\n  ;;\nesac\n";
}

/// The action of _arguments behind an option; a space for none.
std::string zsh_action(const DescribedOption& option) {
  switch (offered_behind(option)) {
  case Offered::kChoices:
    return option.names.empty() ? "(" + bare_words(option.choices) + ")"
                                : "_sequence compadd - " + bare_words(option.choices);
  case Offered::kFiles:
    return "_files";
  case Offered::kNothing:
    break;
  }
  return " ";
}

/// What follows an option, or stands for a positional argument: its name and its action.
std::string zsh_value(const DescribedOption& option) {
  return ":" + escaped(option.value, "\\:") + ":" + zsh_action(option);
}

/// The argument of _arguments for each positional argument of a command. The last one takes all
/// words that are left; _arguments allows that only once.
std::vector<std::string> zsh_positionals(const DescribedCommand& command) {
  std::vector<std::string> values;
  for (const DescribedOption& option : command.options) {
    if (option.names.empty()) {
      values.push_back(zsh_value(option));
    }
  }
  if (!values.empty()) {
    values.back().insert(0, "*");
  }
  return mapped(values, in_single_quotes);
}

/// The arguments of _arguments, one per name. Allows repeating any option; the program itself
/// refuses those that may be given only once.
std::vector<std::string> zsh_arguments(const DescribedOption& option) {
  const std::string value = zsh_value(option);
  std::vector<std::string> arguments;
  for (const std::string& name : option.names) {
    const std::string with_value = name.starts_with("--") ? "=" : "+"; // --name=value, -nvalue
    arguments.push_back(in_single_quotes("*" + name + (option.value.empty() ? "" : with_value) +
                                         "[" + escaped(option.help, "\\[]") + "]" +
                                         (option.value.empty() ? "" : value)));
  }
  return arguments;
}

/// Shell code that changes the command behind --, with -- in place of its name.
std::string zsh_behind_end(std::span<const DescribedCommand> commands) {
  std::string text;
  for (const DescribedCommand& command : commands) {
    if (!command.behind_end.empty()) {
      text += "if [[ $command = " + in_single_quotes(command.words) +
              " ]] && (( ${words[(i)--]} < CURRENT )); then\n  (( CURRENT -= ${words[(i)--]} - 1 "
              "))\n  shift $(( ${words[(i)--]} - 1 )) words\n  command=" +
              command.behind_end + "\nfi\n";
    }
  }
  return text;
}

} // namespace

std::string zsh_completion(std::span<const DescribedCommand> commands) {
  std::string text = std::string(kZshHead) + zsh_commands(first_words(commands)) +
                     zsh_behind_end(commands) + "case $command in\n";
  for (const DescribedCommand& command : commands) {
    text += in_single_quotes(command.words) + ")\n  _arguments";
    for (const DescribedOption& option : command.options) {
      for (const std::string& argument : zsh_arguments(option)) {
        text += " \\\n    " + argument;
      }
    }
    for (const std::string& positional : zsh_positionals(command)) {
      text += " \\\n    " + positional;
    }
    text += "\n  ;;\n";
  }
  return text + "esac\n";
}

} // namespace sdbench

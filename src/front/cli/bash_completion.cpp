#include "sdbench/front/cli/bash_completion.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "sdbench/base/core/home_path.h"

namespace sdbench {
namespace {

/// What is the same whatever the options are. Where nothing is offered, bash itself completes
/// files.
constexpr std::string_view kBashHead =
    R"(# Completion of sdbench's command line in bash, made of its options. By hand: . FILE
_sdbench() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  local command=${COMP_WORDS[1]} commands= options= choices= takes= head=
  COMPREPLY=()
  # bash takes --name=value apart.
  [ "$before" != = ] || before=${COMP_WORDS[COMP_CWORD - 2]}
  [ "$current" != = ] || current=
  case $command in
)";

constexpr std::string_view kBashMiddle = R"(  -* | '') command=run ;;
  esac
  case $command in
)";

constexpr std::string_view kBashTail = R"(  if [ -n "$commands" ] && [[ $current != -* ]]; then
    COMPREPLY=($(compgen -W "$commands" -- "$current"))
    return
  fi
  case $takes in
  file) return ;;
  text)
    compopt +o default 2>/dev/null
    return
    ;;
  esac
  if [ -n "$choices" ] && [[ $current != -* ]]; then
    head=${current%"${current##*,}"} # of a list, all but the last
    COMPREPLY=($(compgen -P "$head" -W "$choices" -- "${current##*,}"))
  elif [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  fi
}
complete -o default -F _sdbench sdbench
)";

using BashWords = std::vector<std::string>;

std::string spaced(const BashWords& words, std::string_view between = " ") {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : std::string(between)) + word;
  }
  return text;
}

std::string bash_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char letter : text) {
    quoted += letter == '\'' ? "'\\''" : std::string(1, letter);
  }
  return quoted + "'";
}

/// What is to be offered behind an option, as an assignment.
std::string offered(const DescribedOption& option) {
  return !option.choices.empty()       ? "choices=" + bash_quoted(spaced(option.choices))
         : is_path_value(option.value) ? "takes=file"
                                       : "takes=text";
}

/// A case of the commands' `case`.
std::string case_of_command(const DescribedCommand& command) {
  BashWords names;
  std::string following;
  std::map<std::string, BashWords> options; // by what is offered behind them
  for (const DescribedOption& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
    if (option.names.empty() && !option.choices.empty()) {
      following = "    " + offered(option) + "\n";
    } else if (!option.names.empty() && !option.value.empty()) {
      BashWords& alike = options[offered(option)];
      alike.insert(alike.end(), option.names.begin(), option.names.end());
    }
  }
  std::string text = "  " + bash_quoted(command.words) +
                     ")\n    options=" + bash_quoted(spaced(names)) + "\n" + following +
                     "    case $before in\n";
  for (const auto& [assignment, alike] : options) {
    text += "    " + spaced(alike, " | ") + ") " + assignment + " ;;\n";
  }
  return text + "    esac\n    ;;\n";
}

} // namespace

std::string bash_completion(std::span<const DescribedCommand> commands) {
  BashWords first;
  std::map<std::string, BashWords> subjects; // of the commands that have them
  for (const DescribedCommand& command : commands) {
    const std::size_t space = command.words.find(' ');
    const std::string word = command.words.substr(0, space);
    if (std::ranges::find(first, word) == first.end()) {
      first.push_back(word);
    }
    if (space != std::string::npos) {
      subjects[word].push_back(command.words.substr(space + 1));
    }
  }
  std::string text(kBashHead);
  for (const auto& [word, names] : subjects) {
    text += "  " + word +
            ")\n    if [ \"$COMP_CWORD\" -eq 2 ]; then commands=" + bash_quoted(spaced(names)) +
            "; fi\n    command+=\" ${COMP_WORDS[2]}\"\n    ;;\n";
  }
  text += kBashMiddle;
  for (const DescribedCommand& command : commands) {
    text += case_of_command(command);
  }
  text += "  esac\n  if [ \"$COMP_CWORD\" -eq 1 ]; then commands=" + bash_quoted(spaced(first)) +
          "; fi\n";
  return text + std::string(kBashTail);
}

} // namespace sdbench

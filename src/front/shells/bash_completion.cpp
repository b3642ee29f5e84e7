#include "sdbench/front/shells/completions.h"

#include <map>
#include <string_view>
#include <vector>

#include "completion_words.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/listed.h"

namespace sdbench {
namespace {

/// The part that does not depend on the options. If it offers nothing, bash itself completes files.
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

/// An assignment that says what to offer behind an option.
std::string bash_assignment(const DescribedOption& option) {
  switch (offered_behind(option)) {
  case Offered::kChoices:
    return "choices=" + in_single_quotes(joined(option.choices, " "));
  case Offered::kFiles:
    return "takes=file";
  case Offered::kNothing:
    break;
  }
  return "takes=text";
}

/// One branch of the `case` over commands.
std::string case_of_command(const DescribedCommand& command) {
  BashWords names;
  std::string following;
  std::map<std::string, BashWords> options; // by the assignment for what follows them
  for (const DescribedOption& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
    if (option.names.empty() && !option.choices.empty()) {
      following = "    " + bash_assignment(option) + "\n";
    } else if (!option.names.empty() && !option.value.empty()) {
      BashWords& alike = options[bash_assignment(option)];
      alike.insert(alike.end(), option.names.begin(), option.names.end());
    }
  }
  std::string text = "  " + in_single_quotes(command.words) +
                     ")\n    options=" + in_single_quotes(joined(names, " ")) + "\n" + following +
                     "    case $before in\n";
  for (const auto& [assignment, alike] : options) {
    text += "    " + joined(alike, " | ") + ") " + assignment + " ;;\n";
  }
  return text + "    esac\n    ;;\n";
}

/// Shell code that changes the command behind --.
std::string bash_behind_end(std::span<const DescribedCommand> commands) {
  std::string text;
  for (const DescribedCommand& command : commands) {
    if (!command.behind_end.empty()) {
      text += "  if [ \"$command\" = " + in_single_quotes(command.words) +
              " ] && [[ \" ${COMP_WORDS[*]:0:COMP_CWORD} \" = *' -- '* ]]; then command=" +
              command.behind_end + "; fi\n";
    }
  }
  return text;
}

} // namespace

std::string bash_completion(std::span<const DescribedCommand> commands) {
  BashWords all;
  std::string text(kBashHead);
  for (const FirstWord& first : first_words(commands)) {
    all.push_back(first.word);
    if (first.subjects.empty()) {
      continue;
    }
    text += "  " + first.word + ")\n    if [ \"$COMP_CWORD\" -eq 2 ]; then commands=" +
            in_single_quotes(joined(first.subjects, " ")) +
            "; fi\n    command+=\" ${COMP_WORDS[2]}\"\n    ;;\n";
  }
  text += kBashMiddle;
  text += bash_behind_end(commands) + "  case $command in\n";
  for (const DescribedCommand& command : commands) {
    text += case_of_command(command);
  }
  text += "  esac\n  if [ \"$COMP_CWORD\" -eq 1 ]; then commands=" +
          in_single_quotes(joined(all, " ")) + "; fi\n";
  return text + std::string(kBashTail);
}

} // namespace sdbench

#include "sdbench/front/shells/completions.h"

#include <cstddef>
#include <string_view>
#include <vector>

#include "completion_words.h"
#include "sdbench/base/text/listed.h"

namespace sdbench {
namespace {

/// The part that does not depend on the options, except for SUBJECTS: the first words of commands
/// of two words.
constexpr std::string_view kFishHead =
    R"(# Completion of sdbench's command line in fish, made of its options. By hand: source FILE
function __sdbench_is # COMMAND: whether the line is of it; of run where it names none
    set -l words (commandline -opc)
    switch "$words[2]"
        case '-*' ''
            test run = "$argv"
        case SUBJECTS
            test "$words[2] $words[3]" = "$argv"
        case '*'
            test "$words[2]" = "$argv"
    end
end
function __sdbench_behind # [WORD]: whether this alone stands before what is typed
    set -l words (commandline -opc)
    test "$words[2..-1]" = "$argv"
end
function __sdbench_has_end # COMMAND: whether the line is of it, and -- stands before what is typed
    __sdbench_is $argv; and contains -- -- (commandline -opc)
end
function __sdbench_offers # COMMAND: what stands behind --, completed as its line
    set -l words (commandline -opc)
    set -l end (contains -i -- -- $words)
    complete -C (string join ' ' -- sdbench $argv (string escape -- $words[(math $end + 1)..-1]) (commandline -ct))
end
function __sdbench_list # CHOICES: of a list with commas, all but the last stays
    set -l head (commandline -ct | string replace -r -- '^-[^=]*=' '' | string match -r '^.*,')
    printf '%s\n' "$head"$argv
end
)";

std::string fish_quoted(std::string_view text) {
  return "'" + escaped(text, "\\'") + "'";
}

std::string offered_word(const std::string& before, const std::string& word,
                         const std::string& summary) {
  return "complete -c sdbench -n " + fish_quoted("__sdbench_behind" + before) + " -f -a " +
         fish_quoted(word) + " -d " + fish_quoted(summary) + "\n";
}

std::string fish_commands(const std::vector<FirstWord>& words) {
  std::string text;
  for (const FirstWord& first : words) {
    text += offered_word("", first.word, first.summary);
    for (std::size_t i = 0; i < first.subjects.size(); ++i) {
      text += offered_word(" " + first.word, first.subjects[i], first.summaries[i]);
    }
  }
  return text;
}

/// -l model -s m
std::string fish_names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    const bool is_long = name.starts_with("--");
    text += (is_long ? " -l " : " -s ") + fish_quoted(name.substr(is_long ? 2 : 1));
  }
  return text;
}

/// Flags that tell if a value must follow, and what to offer for it.
std::string fish_value(const DescribedOption& option) {
  const bool follows_command = option.names.empty();
  if (!follows_command && option.value.empty()) {
    return {};
  }
  const std::string words = bare_words(option.choices);
  std::string value = follows_command ? "" : " -r";
  switch (offered_behind(option)) {
  case Offered::kChoices:
    value += " -f -a " + fish_quoted(follows_command ? words : "(__sdbench_list " + words + ")");
    break;
  case Offered::kFiles:
    value += " -F";
    break;
  case Offered::kNothing:
    value += " -f";
    break;
  }
  return value;
}

} // namespace

std::string fish_completion(std::span<const DescribedCommand> commands) {
  const std::vector<FirstWord> words = first_words(commands);
  const auto has_subjects = [](const FirstWord& first) { return !first.subjects.empty(); };
  const std::vector<std::string> with_subject = mapped_if(words, has_subjects, &FirstWord::word);
  std::string text(kFishHead);
  text.replace(text.find("SUBJECTS"), std::string_view("SUBJECTS").size(),
               joined(with_subject, " "));
  text += fish_commands(words);
  for (const DescribedCommand& command : commands) {
    const std::string of_command =
        "complete -c sdbench -n " + fish_quoted("__sdbench_is " + command.words);
    text += of_command + " -f\n";      // no files unless an option says so
    if (!command.behind_end.empty()) { // behind --, fish itself offers no options
      text += "complete -c sdbench -n " + fish_quoted("__sdbench_has_end " + command.words) +
              " -f -a " + fish_quoted("(__sdbench_offers " + command.behind_end + ")") + "\n";
    }
    for (const DescribedOption& option : command.options) {
      text += of_command + fish_names(option.names) + fish_value(option) +
              (option.help.empty() ? "" : " -d " + fish_quoted(option.help)) + "\n";
    }
  }
  return text;
}

} // namespace sdbench

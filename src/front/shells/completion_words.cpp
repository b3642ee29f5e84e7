#include "completion_words.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "sdbench/base/files/home_path.h"
#include "sdbench/base/text/listed.h"

namespace sdbench {

std::vector<FirstWord> first_words(std::span<const DescribedCommand> commands) {
  std::vector<FirstWord> words;
  for (const DescribedCommand& command : commands) {
    const std::size_t space = command.words.find(' ');
    const std::string word = command.words.substr(0, space);
    auto found = std::ranges::find(words, word, &FirstWord::word);
    if (found == words.end()) {
      found = words.insert(
          found, {.word = word, .summary = command.summary, .subjects = {}, .summaries = {}});
    }
    if (space != std::string::npos) {
      found->subjects.push_back(command.words.substr(space + 1));
      found->summaries.push_back(command.summary);
      found->summary = listed(found->subjects);
    }
  }
  return words;
}

Offered offered_behind(const DescribedOption& option) {
  if (!option.choices.empty()) {
    return Offered::kChoices;
  }
  // A command's argument is a file if it has no list of choices.
  return option.names.empty() || is_path_value(option.value) ? Offered::kFiles : Offered::kNothing;
}

std::string escaped(std::string_view text, std::string_view letters) {
  std::string with_backslashes;
  for (const char letter : text) {
    with_backslashes += letters.find(letter) == std::string_view::npos ? "" : "\\";
    with_backslashes += letter;
  }
  return with_backslashes;
}

std::string bare_words(const std::vector<std::string>& words) {
  const auto bare = [](const std::string& word) {
    return escaped(word, " \t!\"#$&'()*;<=>?[\\]^`{|}~");
  };
  return joined(mapped(words, bare), " ");
}

} // namespace sdbench

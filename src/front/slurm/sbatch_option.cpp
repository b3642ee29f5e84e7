#include "sdbench/front/slurm/sbatch_option.h"

#include <algorithm>
#include <array>

namespace sdbench {
namespace {

/// Those without a value, or with one that is joined alone ("--exclusive=user").
constexpr std::array<SbatchOption, 20> kWithoutNextWord{
    {{"--contiguous", ""},   {"--exclusive", ""},
     {"--get-user-env", ""}, {"--help", "-h"},
     {"--hold", "-H"},       {"--ignore-pbs", ""},
     {"--nice", ""},         {"--no-kill", "-k"},
     {"--overcommit", "-O"}, {"--oversubscribe", "-s"},
     {"--parsable", ""},     {"--propagate", ""},
     {"--reboot", ""},       {"--requeue", ""},
     {"--spread-job", ""},   {"--stepmgr", ""},
     {"--usage", ""},        {"--use-min-nodes", ""},
     {"--verbose", "-v"},    {"--version", "-V"}}};

} // namespace

bool is_name_of(std::string_view name, const SbatchOption& option) {
  constexpr std::size_t kShortest = std::string_view("--ab").size();
  const bool is_whole =
      name.size() < kShortest || name == "--time" || name == "--mem" || name == "--gpus";
  return name == option.name || (!is_whole && option.name.starts_with(name));
}

bool is_given(const SbatchOption& option, const std::vector<std::string>& words) {
  return std::ranges::any_of(words, [&](std::string_view word) {
    return is_name_of(word.substr(0, word.find('=')), option) ||
           (!option.letter.empty() && word.starts_with(option.letter));
  });
}

bool may_take_next_word(std::string_view option) {
  const bool has_value =
      option.starts_with("--") ? option.find('=') != std::string_view::npos : option.size() > 2;
  return !has_value && std::ranges::none_of(kWithoutNextWord, [&](const SbatchOption& known) {
    return option == known.letter || is_name_of(option, known);
  });
}

std::optional<std::string> value_given(const SbatchOption& option,
                                       const std::vector<std::string>& words) {
  std::optional<std::string> value;
  for (auto word = words.begin(); word != words.end(); ++word) {
    const bool has_letter = !option.letter.empty() && word->starts_with(option.letter);
    const std::size_t name_end = word->find('=');
    const bool has_name = is_name_of(std::string_view(*word).substr(0, name_end), option);
    if (has_name && name_end != std::string::npos) {
      value = word->substr(name_end + 1);
    } else if (has_name || (has_letter && *word == option.letter)) {
      value = word + 1 == words.end() ? "" : *(word + 1);
    } else if (has_letter) {
      value = word->substr(option.letter.size());
    }
  }
  return value;
}

} // namespace sdbench

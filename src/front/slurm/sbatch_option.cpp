#include "sdbench/front/slurm/sbatch_option.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/listed.h"

namespace sdbench {
namespace {

/// Options that take no value, or only one that is joined to them ("--exclusive=user").
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

constexpr SbatchOption kTresPerTask{"--tres-per-task", ""};

/// A part of the option's value in the form of --gres: "gpu:a100:2" for --gpus a100:2 and for
/// --tres-per-task gres/gpu:a100:2.
std::string as_gres(std::string_view part, const SbatchOption& option) {
  constexpr std::string_view kGres = "gres";
  if (option.name.starts_with("--gpus")) {
    return "gpu:" + std::string(part);
  }
  const bool says_so = part.starts_with(kGres) && part.find_first_of("/:") == kGres.size();
  return std::string(says_so ? part.substr(kGres.size() + 1) : part);
}

bool is_any_of(char letter, std::string_view letters) {
  return letters.find(letter) != std::string_view::npos;
}

} // namespace

bool is_name_of(std::string_view name, const SbatchOption& option) {
  constexpr std::size_t kShortest = std::string_view("--ab").size();
  const bool is_whole = name.size() < kShortest || name == "--time" || name == "--mem" ||
                        name == "--gpus" || name == "--gres";
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

std::vector<std::string> without_options(const std::vector<std::string>& words,
                                         std::span<const SbatchOption> options) {
  std::vector<std::string> kept;
  bool drops_value = false;
  for (const std::string& word : words) {
    const bool is_option = word.starts_with('-');
    if (!is_option && drops_value) {
      drops_value = false;
      continue;
    }
    const bool is_dropped = is_option && std::ranges::any_of(options, [&](const auto& option) {
                              return is_given(option, {word});
                            });
    drops_value = is_dropped && may_take_next_word(word);
    if (!is_dropped) {
      kept.push_back(word);
    }
  }
  return kept;
}

std::optional<std::string> cpus_of_tres_per_task(const std::vector<std::string>& words) {
  constexpr std::string_view kCpu = "cpu";
  const std::string of_task = value_given(kTresPerTask, words).value_or("");
  for (const std::string_view part : split(of_task, ',')) { // "cpu:4" or "cpu=4"
    if (part.starts_with(kCpu) && part.find_first_of(":=") == kCpu.size()) {
      return std::string(part.substr(kCpu.size() + 1));
    }
  }
  return std::nullopt;
}

bool count_gpus(const std::vector<std::string>& words) {
  const auto of_task = value_given(kTresPerTask, words); // "cpu:4,gres/gpu:1"
  return (of_task && of_task->find("gpu") != std::string::npos) ||
         std::ranges::any_of(kGpuCounts,
                             [&](const SbatchOption& option) { return is_given(option, words); });
}

std::vector<GpusAsked> gpus_asked(const std::vector<std::string>& words) {
  std::vector<GpusAsked> asked;
  const auto add = [&](const SbatchOption& option) {
    const std::string value = value_given(option, words).value_or("");
    for (const std::string_view part : split(value, ',')) {
      for (GpuKind& kind : gpus_of(as_gres(part, option))) {
        asked.push_back({std::string(option.name), value, std::move(kind)});
      }
    }
  };
  std::ranges::for_each(kGpuCounts, add);
  add(kTresPerTask);
  return asked;
}

std::optional<std::int64_t> memory_mb_of(std::string_view text) {
  constexpr std::int64_t kMost = 1'000'000'000; // beyond any real memory, in any unit
  constexpr std::int64_t kStep = 1024;
  constexpr std::string_view kUnits = "KMGTkmgt";
  std::string_view digits = text;
  if (text.size() > 1 && is_any_of(text.back(), "Bb") && is_any_of(text[text.size() - 2], kUnits)) {
    digits.remove_suffix(1); // sbatch takes 4GB for 4G
  }
  char unit = 'M';
  if (!digits.empty() && is_any_of(digits.back(), kUnits)) {
    unit = static_cast<char>(std::toupper(static_cast<unsigned char>(digits.back())));
    digits.remove_suffix(1);
  }
  const auto number = parse_integer(digits);
  if (!number || *number < 0 || *number > kMost) {
    return std::nullopt;
  }
  switch (unit) {
  case 'K':
    return *number / kStep;
  case 'G':
    return *number * kStep;
  case 'T':
    return *number * kStep * kStep;
  default:
    return number;
  }
}

} // namespace sdbench

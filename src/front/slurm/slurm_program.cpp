#include "sdbench/front/slurm/slurm_program.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <stdlib.h>
#include <unistd.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/text/escape.h"

namespace sdbench {
namespace {

/// Prefixes of each program's own variables, which change what it lists, sorts, prints or asks.
constexpr std::array<std::string_view, 5> kPrefixes = {"SINFO_", "SQUEUE_", "SCONTROL_", "SCANCEL_",
                                                       "SACCT_"};
/// Variables of all programs, which select a different cluster or output format.
constexpr std::array<std::string_view, 4> kNames = {"SLURM_CLUSTERS", "SLURM_TIME_FORMAT",
                                                    "SLURM_JSON", "SLURM_YAML"};

bool is_of_reading(std::string_view name) {
  return std::ranges::find(kNames, name) != kNames.end() ||
         std::ranges::any_of(kPrefixes,
                             [&](std::string_view prefix) { return name.starts_with(prefix); });
}

constexpr double kSlurmPatienceS = 120; // the programs themselves try for a minute

} // namespace

void forget_slurm_variables() {
  std::vector<std::string> found;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view setting(*entry);
    const std::string_view name = setting.substr(0, setting.find('='));
    if (is_of_reading(name)) {
      found.emplace_back(name);
    }
  }
  for (const std::string& name : found) {
    ::unsetenv(name.c_str());
  }
}

std::string unset_words() {
  std::string words;
  for (const std::string_view name : kNames) {
    words += " " + std::string(name);
  }
  for (const std::string_view prefix : kPrefixes) {
    words += " ${!" + std::string(prefix) + "@}";
  }
  return words;
}

ProgramOutput slurm_answer(std::vector<std::string> command) {
  const std::string name = command.front();
  auto answer = program_output(std::move(command), kSlurmPatienceS);
  if (!answer) {
    throw Error("Slurm must be installed here, but " + name +
                " is not in PATH; submit where the cluster's users log in");
  }
  return std::move(*answer);
}

std::string refusal_words(const std::string& program, const std::string& wanted,
                          const ProgramOutput& answer) {
  std::string words = one_line(answer.err);
  words.erase(words.find_last_not_of(' ') + 1);
  return program + " must " + wanted + ", but says: " +
         (words.empty() ? "nothing, with exit code " + std::to_string(answer.code) : words);
}

} // namespace sdbench

#include "slurm_program.h"

#include <utility>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/text/escape.h"

namespace sdbench {
namespace {

constexpr double kSlurmPatienceS = 120; // the programs themselves try for a minute

} // namespace

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

#include "slurm_again.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "sdbench/base/text/listed.h"
#include "sdbench/base/text/shell_word.h"

namespace sdbench {

std::string command_again(const SlurmArguments& asked, const Submission& submission) {
  std::vector<std::string> words = {
      submission.program.string(), "slurm", "submit", "--per", name_of(asked.per), "--folder",
      submission.folder.string()};
  if (!asked.nodelist.empty()) {
    words.push_back("--nodelist=" + asked.nodelist);
  }
  std::ranges::copy(submission.sbatch_options, std::back_inserter(words)); // with --partition
  if (!submission.other_gres.empty()) {
    words.push_back("--gres=" + submission.other_gres);
  }
  words.emplace_back("--");
  std::ranges::copy(submission.run_options, std::back_inserter(words));
  std::ranges::transform(words, words.begin(), shell_word);
  return "cd " + shell_word(submission.start_folder.string()) + " && " + joined(words, " ");
}

} // namespace sdbench

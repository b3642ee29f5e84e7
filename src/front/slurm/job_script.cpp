#include "sdbench/front/slurm/job_script.h"

#include <algorithm>

#include "sdbench/base/config/install_paths.h"
#include "sdbench/base/core/json_io.h"
#include "sdbench/base/core/shell_word.h"

namespace sdbench {
namespace {

using Words = std::vector<std::string>;

std::string body(const char* file) {
  const std::filesystem::path folder = share_folder() / "slurm";
  return read_text_file(folder / "folder.sh") + read_text_file(folder / file);
}

/// A line for each option, with the words that follow it.
std::string sbatch_lines(const Words& options) {
  std::string lines;
  for (const std::string& word : options) {
    lines += (word.starts_with('-') && word.size() > 1 ? "\n#SBATCH " : " ") + shell_word(word);
  }
  return lines;
}

std::string array_of(const Words& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : " ") + shell_word(word);
  }
  return "(" + text + ")";
}

/// The user's options come last, for sbatch takes the last of two.
std::string script_head(const Submission& submission, const std::string& name,
                        const Words& options) {
  std::string text = "#!/bin/bash\n#SBATCH --job-name=" + shell_word("sdbench-" + name) +
                     "\n#SBATCH --nodes=1\n#SBATCH --ntasks=1\n#SBATCH --requeue"
                     // The script writes its own log, once the folder has proved to be there.
                     "\n#SBATCH --output=/dev/null";
  text += sbatch_lines(options) + sbatch_lines(submission.sbatch_options) + "\n\n";
  text += "name=" + shell_word(name) + "\nfolder=" + shell_word(submission.folder.string()) +
          "\ntoken=" + shell_word(submission.token) +
          "\nprogram=" + shell_word(submission.program.string()) +
          "\nsubmitted=" + std::to_string(submission.submitted_s) + "\n";
  return text;
}

/// How a shell script holds a job's text. The token is random, so its line ends nothing else.
std::string here_document(const Submission& submission, const JobScript& script) {
  const std::string mark = "END_" + submission.token;
  return "<<'" + mark + "'\n" + script.text + mark + "\n";
}

} // namespace

std::vector<std::string> overriding_variables(const Submission& submission) {
  Words variables = {"SBATCH_ARRAY_INX", "SBATCH_EXCLUSIVE",     "SBATCH_GRES",
                     "SBATCH_GPUS",      "SBATCH_GPUS_PER_NODE", "SBATCH_GPUS_PER_TASK",
                     "SBATCH_OUTPUT",    "SBATCH_NO_REQUEUE",    "SBATCH_SIGNAL",
                     "SBATCH_WAIT"};
  if (submission.exclusive) {
    variables.insert(variables.end(),
                     {"SBATCH_MEM_PER_CPU", "SBATCH_MEM_PER_GPU", "SBATCH_MEM_PER_NODE"});
  }
  return variables;
}

JobScript job_script(const Submission& submission, const JobPlace& place) {
  Words options = place.options;
  // Two minutes before its time is up the script hears of it, ends the cell and asks for another
  // start.
  options.emplace_back("--signal=B:USR1@120");
  if (submission.exclusive) {
    options.emplace_back("--exclusive");
    if (std::ranges::none_of(submission.sbatch_options,
                             [](const std::string& word) { return word.starts_with("--mem"); })) {
      options.emplace_back("--mem=0"); // all that the node has
    }
  }
  return {place.name, script_head(submission, place.name, options) + "run_options=" +
                          array_of(submission.run_options) + "\n\n" + body("job.sh")};
}

JobScript collect_script(const Submission& submission, const Words& names,
                         const Words& place_options) {
  const std::string name = "collect";
  return {name, script_head(submission, name, place_options) + "names=" + array_of(names) + "\n\n" +
                    body("collect.sh")};
}

std::string submitting_script(const Submission& submission, const std::vector<JobScript>& jobs,
                              const JobScript& collect) {
  const std::string folder = shell_word(submission.folder.string());
  std::string given; // which the environment then cannot override
  for (const std::string& word : submission.sbatch_options) {
    given += shell_word(word) + " ";
  }
  std::string unset;
  for (const std::string& variable : overriding_variables(submission)) {
    unset += " " + variable;
  }
  const auto submits = [&](const JobScript& job, const std::string& options) {
    return "\n# " + job.name + "\njob=$(sbatch --parsable " + given + options +
           here_document(submission, job) + ")\njob=${job%%;*}\necho \"job $job  " + job.name +
           "\"\n";
  };
  std::string text =
      "#!/bin/bash\n# What sdbench slurm submit does. Change it, and run it.\nset -eu\n"
      "mkdir -p " +
      folder + "/jobs\n[ -s " + folder + "/token ] || echo " + shell_word(submission.token) + " >" +
      folder + "/token\n[ \"$(cat " + folder + "/token)\" = " + shell_word(submission.token) +
      " ] ||\n  { echo " +
      shell_word(submission.folder.string() +
                 " is of another submission; print this script anew, or name another --folder") +
      " >&2; exit 1; }\nrm -f " + folder + "/jobs/*.state\nunset" + unset + "\njobs=\n";
  for (const JobScript& job : jobs) {
    text += submits(job, "") + "jobs=$jobs:$job\n";
  }
  return text + submits(collect, "\"--dependency=afterany$jobs\" ");
}

} // namespace sdbench

#include "sdbench/front/slurm/slurm_cluster.h"

#include <stdlib.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <sstream>
#include <utility>

#include "sdbench/base/core/error.h"
#include "sdbench/base/core/escape.h"
#include "sdbench/base/core/in_quotes.h"
#include "sdbench/base/core/program_output.h"

namespace sdbench {
namespace {

using Words = std::vector<std::string>;

constexpr double kSlurmPatienceS = 120; // the programs themselves try for a minute
constexpr int kBySignal = 128;          // above it an exit code is of a signal
constexpr const char* kMayBeQueued = "; the job may be in the queue all the same: see squeue";

/// What the program prints. `wanted`: "tell the nodes"; `unclear`: what may be so all the same
/// where it was ended, by a signal or because it took too long.
std::string answer_of(Words command, const std::string& wanted, const std::string& unclear = {}) {
  const std::string name = command.front();
  std::optional<ProgramOutput> answer;
  try {
    answer = program_output(std::move(command), kSlurmPatienceS);
  } catch (const Error& error) {
    throw Error(error.what() + unclear);
  }
  if (!answer) {
    throw Error("Slurm must be installed here, but " + name +
                " is not in PATH; submit where the cluster's users log in");
  }
  if (answer->code != 0) {
    std::string words = one_line(answer->err);
    words.erase(words.find_last_not_of(' ') + 1);
    throw Error(
        name + " must " + wanted + ", but says: " +
        (words.empty() ? "nothing, with exit code " + std::to_string(answer->code) : words) +
        (answer->code > kBySignal ? unclear : ""));
  }
  return answer->out;
}

/// The names that an expression such as "node[1-4],node7" stands for, each once.
Words host_names(const std::string& nodelist) {
  std::istringstream lines(
      answer_of({"scontrol", "show", "hostnames", nodelist}, "read --nodelist"));
  Words names;
  for (std::string name; lines >> name;) {
    if (std::ranges::find(names, name) == names.end()) {
      names.push_back(name);
    }
  }
  return names;
}

std::string partition_words(const std::string& partition) {
  return partition.empty() ? "the default partition" : "partition " + partition;
}

/// The nodes of the list, which must all be there.
std::vector<SlurmNode> named_nodes(const std::vector<SlurmNode>& all, const std::string& nodelist,
                                   const std::string& partition) {
  std::vector<SlurmNode> named;
  for (const std::string& name : host_names(nodelist)) {
    const auto found = std::ranges::find(all, name, &SlurmNode::name);
    if (found == all.end()) {
      throw Error("--nodelist must name nodes of " + partition_words(partition) + ", but " +
                  in_quotes(name) + " is none; sinfo -N lists them, --partition names another");
    }
    named.push_back(*found);
  }
  return named;
}

} // namespace

ClusterNodes cluster_nodes(const std::string& partition, const std::string& nodelist) {
  Words command = {"sinfo", "--noheader", "--Node", "--format", kNodeFormat};
  if (!partition.empty()) {
    command.push_back("--partition=" + partition);
  }
  ClusterNodes nodes;
  nodes.all = parse_nodes(answer_of(std::move(command), "tell the nodes"), partition.empty());
  if (nodes.all.empty()) {
    throw Error(partition.empty()
                    ? "the cluster must have a default partition with nodes, but has none; add "
                      "--partition NAME"
                    : "--partition must name one with nodes, but " + in_quotes(partition) +
                          " has none; see sinfo");
  }
  const auto listed = nodelist.empty() ? nodes.all : named_nodes(nodes.all, nodelist, partition);
  std::ranges::partition_copy(listed, std::back_inserter(nodes.wanted),
                              std::back_inserter(nodes.left_out), takes_jobs);
  if (nodes.wanted.empty()) {
    throw Error("a node must take jobs, but " + listed.front().name + " is " +
                listed.front().state + (listed.size() > 1 ? ", and the others likewise" : "") +
                "; see sinfo -R");
  }
  return nodes;
}

std::string submit_job(const std::filesystem::path& script, const Words& options,
                       const Words& unset) {
  for (const std::string& variable : unset) {
    ::unsetenv(variable.c_str());
  }
  Words command = {"sbatch", "--parsable"};
  command.insert(command.end(), options.begin(), options.end());
  command.push_back(script.string());
  const std::string name = script.stem().string();
  const std::string answer = answer_of(std::move(command), "take the job " + name, kMayBeQueued);
  std::string number = answer.substr(0, answer.find_first_of(";\n")); // "12;cluster"
  if (number.empty() || number.find_first_not_of("0123456789") != std::string::npos) {
    throw Error("sbatch must print the number of the job " + name + ", but prints " +
                in_quotes(number) + "; leave out what makes it print something else before --" +
                kMayBeQueued);
  }
  return number;
}

bool cancel_jobs(const Words& jobs) {
  Words command = {"scancel"};
  command.insert(command.end(), jobs.begin(), jobs.end());
  try {
    const auto answer = program_output(std::move(command), kSlurmPatienceS);
    return answer && answer->code == 0;
  } catch (const Error&) { // why they are taken out is what the user is to read
    return false;
  }
}

} // namespace sdbench

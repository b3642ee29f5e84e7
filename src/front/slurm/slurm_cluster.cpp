#include "sdbench/front/slurm/slurm_cluster.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/front/machine/program_output.h"
#include "sdbench/front/slurm/slurm_program.h"

namespace sdbench {
namespace {

using Words = std::vector<std::string>;

/// The program's output. Throws Error if it fails; `wanted` ("tell the nodes") is for the message.
std::string answer_of(Words command, const std::string& wanted) {
  const std::string name = command.front();
  const ProgramOutput answer = slurm_answer(std::move(command));
  if (answer.code != 0) {
    throw Error(refusal_words(name, wanted, answer));
  }
  return answer.out;
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

/// The nodes of the list, all of which must exist.
std::vector<SlurmNode> named_nodes(const std::vector<SlurmNode>& all, const std::string& nodelist,
                                   const std::string& partition) {
  std::vector<SlurmNode> named;
  for (const std::string& name : host_names(nodelist)) {
    const auto found = std::ranges::find(all, name, &SlurmNode::name);
    if (found == all.end()) {
      throw Error("--nodelist must name nodes of " + partition_words(partition) + ", but " +
                  in_quotes(name) + " is not one; sinfo -N lists them, --partition names another");
    }
    named.push_back(*found);
  }
  return named;
}

} // namespace

ClusterNodes cluster_nodes(const std::string& partition, const std::string& nodelist,
                           bool has_reservation) {
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
  std::ranges::partition_copy(
      listed, std::back_inserter(nodes.wanted), std::back_inserter(nodes.left_out),
      [&](const SlurmNode& node) { return takes_jobs(node, has_reservation); });
  if (nodes.wanted.empty()) {
    throw Error("a node must take jobs, but " + listed.front().name + " is " +
                state_words(listed.front()) + (listed.size() > 1 ? ", and so are the others" : "") +
                "; see sinfo -R");
  }
  return nodes;
}

std::vector<SlurmPartition> cluster_partitions(const std::string& partition) {
  const ProgramOutput answer =
      slurm_answer({"scontrol", "--oneliner", "--all", "show", "partition"});
  return answer.code == 0 ? parse_partitions(answer.out, partition) : std::vector<SlurmPartition>();
}

} // namespace sdbench

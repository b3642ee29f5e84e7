#include "sdbench/front/slurm/job_place.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/text/listed.h"

namespace sdbench {
namespace {

/// "gpu:a100:4,gpu:1"; empty without GPUs.
std::string gres_text(const std::vector<GpuKind>& gpus) {
  return joined(mapped(gpus,
                       [](const GpuKind& kind) {
                         return "gpu:" + (kind.type.empty() ? "" : kind.type + ":") +
                                std::to_string(kind.count);
                       }),
                ",");
}

/// "4xa100+1xgpu"
std::string gpus_name(const std::vector<GpuKind>& gpus) {
  const auto kind_name = [](const GpuKind& kind) {
    return std::to_string(kind.count) + "x" + (kind.type.empty() ? "gpu" : kind.type);
  };
  return gpus.empty() ? std::string(name_of(cpu_kind())) : joined(mapped(gpus, kind_name), "+");
}

/// The text as a file name: replaces unusual characters, which names of features may have.
std::string file_name(std::string text) {
  constexpr std::size_t kLongest = 60;
  std::ranges::replace_if(
      text,
      [](char letter) {
        return std::isalnum(static_cast<unsigned char>(letter)) == 0 &&
               std::string_view("._+-").find(letter) == std::string_view::npos;
      },
      '_');
  return text.substr(0, kLongest);
}

/// A place on any one of these nodes, all of which have the same GPUs.
JobPlace place_on(const std::vector<SlurmNode>& nodes, std::string name,
                  std::vector<std::string> options) {
  JobPlace place;
  place.name = std::move(name);
  place.options = std::move(options);
  place.gres = gres_text(nodes.front().gpus);
  place.node_cpus = std::ranges::max(nodes, {}, &SlurmNode::cpus).cpus;
  place.node_memory_mb = std::ranges::max(nodes, {}, &SlurmNode::memory_mb).memory_mb;
  return place;
}

std::vector<JobPlace> places_of_nodes(const std::vector<SlurmNode>& nodes) {
  return mapped(nodes, [&](const SlurmNode& node) {
    return place_on({node}, node.name, {"--nodelist=" + node.name});
  });
}

std::vector<JobPlace> places_of_types(const std::vector<SlurmNode>& nodes,
                                      const std::vector<SlurmNode>& all) {
  std::map<std::pair<std::string, std::string>, std::vector<SlurmNode>> types;
  for (const SlurmNode& node : nodes) {
    types[{gres_text(node.gpus), node.features}].push_back(node);
  }
  std::vector<JobPlace> places;
  for (const auto& [type, of_type] : types) {
    const std::string& features = of_type.front().features;
    places.push_back(place_on(
        of_type,
        file_name(gpus_name(of_type.front().gpus) + (features.empty() ? "" : "-" + features)),
        any_one_of(of_type, all)));
  }
  return places;
}

std::int64_t gpu_count(const SlurmNode& node) {
  std::int64_t gpus = 0;
  for (const GpuKind& kind : node.gpus) {
    gpus += kind.count;
  }
  return gpus;
}

/// The place of one GPU's job on this node: processors and nine tenths of the memory, divided by
/// the node's GPUs. A tenth of the memory is left, because the cluster may reserve some
/// (MemSpecLimit). sinfo does not tell how much, and a job that asks for more than the rest never
/// begins.
JobPlace place_of_gpu(const SlurmNode& node, std::int64_t number, const std::string& type) {
  const std::int64_t gpus = std::max<std::int64_t>(1, gpu_count(node));
  JobPlace place =
      place_on({node}, node.name + "-gpu" + std::to_string(number), {"--nodelist=" + node.name});
  place.gres = gres_text({{type, 1}});
  place.cpus = std::max<std::int64_t>(1, node.cpus / gpus);
  place.memory_mb = node.memory_mb * 9 / 10 / gpus;
  place.has_one_gpu = true;
  return place;
}

std::vector<JobPlace> places_of_gpus(const std::vector<SlurmNode>& nodes) {
  std::vector<JobPlace> places;
  for (const SlurmNode& node : nodes) {
    std::int64_t number = 0;
    for (const GpuKind& kind : node.gpus) {
      for (std::int64_t i = 0; i < kind.count; ++i) {
        places.push_back(place_of_gpu(node, number++, kind.type));
      }
    }
  }
  if (places.empty()) {
    throw Error("--per gpu must have nodes with GPUs, but sinfo lists no gres gpu for any node; "
                "write --per node");
  }
  return places;
}

std::vector<JobPlace> places_per(JobPer per, const std::vector<SlurmNode>& nodes,
                                 const std::vector<SlurmNode>& all) {
  switch (per) {
  case JobPer::kType:
    return places_of_types(nodes, all);
  case JobPer::kGpu:
    return places_of_gpus(nodes);
  case JobPer::kNode:
    break;
  }
  return places_of_nodes(nodes);
}

} // namespace

std::vector<std::string> any_one_of(const std::vector<SlurmNode>& nodes,
                                    const std::vector<SlurmNode>& all) {
  if (nodes.size() == 1) {
    return {"--nodelist=" + nodes.front().name};
  }
  const auto is_other = [&](const SlurmNode& node) {
    return std::ranges::find(nodes, node.name, &SlurmNode::name) == nodes.end();
  };
  const std::string others = joined(mapped_if(all, is_other, &SlurmNode::name), ",");
  return others.empty() ? std::vector<std::string>()
                        : std::vector<std::string>{"--exclude=" + others};
}

std::vector<JobPlace> job_places(JobPer per, const std::vector<SlurmNode>& nodes,
                                 const std::vector<SlurmNode>& all) {
  std::vector<JobPlace> places = places_per(per, nodes, all);
  std::set<std::string> names{"all", "collect"}; // names of the collecting job's files
  for (JobPlace& place : places) {
    const std::string wanted = place.name;
    for (int number = 2; !names.insert(place.name).second; ++number) {
      place.name = wanted + "-" + std::to_string(number);
    }
  }
  return places;
}

} // namespace sdbench

#include "sdbench/config/engine_axes.h"

#include <map>

#include "sdbench/core/engine.h"

namespace sdbench {

std::vector<std::string_view> axis_names() {
  std::vector<std::string_view> names;
  const EngineAxes axes;
  visit_axes(axes, [&](const char* name, const auto&) { names.emplace_back(name); });
  return names;
}

const std::vector<std::string>& axis_choices(std::string_view axis) {
  static const std::map<std::string_view, std::vector<std::string>> choices = {
      {"engine", {std::string(kTunedEngine), std::string(kPlainEngine)}},
      {"attention", {"auto", "math", "sliced", "efficient", "flash", "cudnn", "own"}},
      {"memory_format", {"auto", "contiguous", "channels-last"}},
      {"packed_weights", {"auto", "own", "winograd", "onednn", "off"}},
      {"fused", {"auto", "on", "off"}},
      {"host_allocator", {"auto", "system", "caching"}},
      {"kv_cache", {"auto", "on", "off"}},
      {"time_cache", {"auto", "on", "off"}},
      {"shared_prefix", {"auto", "on", "off"}},
      {"graphs", {"auto", "on", "off", "loop"}},
      {"kernels", {"auto", "own", "aten"}},
      {"tf32", {"off", "on", "conv"}},
      {"cudnn_benchmark", {"on", "off"}},
      {"offload", {"none", "stages"}},
      {"vae_tiling", {"on", "off"}}};
  return choices.at(axis);
}

} // namespace sdbench

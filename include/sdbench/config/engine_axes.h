#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace sdbench {

/// How the engine computes, as it is asked for: each member is an option of `sdbench run` with the
/// same name, and may change the speed, never the work.
struct EngineAxes {
  std::string attention = "auto";      ///< auto, math, sliced, efficient, flash, cudnn, own
  std::string engine = "tuned";        ///< tuned, plain
  std::string memory_format = "auto";  ///< auto, contiguous, channels-last
  std::string packed_weights = "auto"; ///< auto, own, winograd, onednn, off
  std::string fused = "auto";          ///< auto, on, off
  std::string host_allocator = "auto"; ///< auto, system, caching
  std::string kv_cache = "auto";       ///< auto, on, off
  std::string time_cache = "auto";     ///< auto, on, off
  std::string shared_prefix = "auto";  ///< auto, on, off
  std::string graphs = "auto";         ///< auto, on, off, loop
  std::string kernels = "auto";        ///< auto, own, aten
  bool tf32 = false;                   ///< fp32 arithmetic may be TF32
  bool cudnn_benchmark = false;        ///< cuDNN tries its algorithms
  std::string offload = "none";        ///< none, stages
  bool vae_tiling = false;
};

/// Calls visit(name, axis) for each of them, a text or a bool, const if `axes` is: the one list of
/// their names, which are those of the record's fields too. Ids of records are made of them in this
/// order.
template <typename Axes, typename Visit>
requires std::derived_from<std::remove_const_t<Axes>, EngineAxes>
void visit_axes(Axes& axes, const Visit& visit) {
  visit("engine", axes.engine);
  visit("attention", axes.attention);
  visit("memory_format", axes.memory_format);
  visit("packed_weights", axes.packed_weights);
  visit("fused", axes.fused);
  visit("host_allocator", axes.host_allocator);
  visit("kv_cache", axes.kv_cache);
  visit("time_cache", axes.time_cache);
  visit("shared_prefix", axes.shared_prefix);
  visit("graphs", axes.graphs);
  visit("kernels", axes.kernels);
  visit("tf32", axes.tf32);
  visit("cudnn_benchmark", axes.cudnn_benchmark);
  visit("offload", axes.offload);
  visit("vae_tiling", axes.vae_tiling);
}

[[nodiscard]] inline std::vector<std::string_view> axis_names() {
  std::vector<std::string_view> names;
  const EngineAxes axes;
  visit_axes(axes, [&](const char* name, const auto&) { names.emplace_back(name); });
  return names;
}

/// What is asked for, as records and options say it: a bool is on or off.
[[nodiscard]] inline std::string axis_text(const std::string& asked) {
  return asked;
}
[[nodiscard]] inline std::string axis_text(bool asked) {
  return asked ? "on" : "off";
}

} // namespace sdbench

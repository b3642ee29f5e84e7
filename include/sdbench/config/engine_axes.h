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
  std::string engine = "tuned";
  std::string attention = "auto";      ///< whose kernel, or in which way
  std::string memory_format = "auto";  ///< of images
  std::string packed_weights = "auto"; ///< on a CPU, for whose kernels
  std::string fused = "auto";          ///< what follows a layer is part of it
  std::string host_allocator = "auto"; ///< whether freed memory stays with the process
  std::string kv_cache = "auto";       ///< the text's keys and values once a prompt
  std::string time_cache = "auto";     ///< what time adds once for all steps
  std::string shared_prefix = "auto";  ///< what both halves of guidance share once
  std::string graphs = "auto";         ///< CUDA graphs of UNet calls, or of all steps
  std::string kernels = "auto";        ///< whose norms and GEGLU, on a GPU also steps
  std::string tf32 = "off";            ///< which products of fp32 may be TF32's
  bool cudnn_benchmark = false;        ///< cuDNN tries its algorithms
  std::string offload = "none";        ///< text encoder, UNet and VAE take turns on the device
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

[[nodiscard]] std::vector<std::string_view> axis_names();
/// What may be asked for, of a bool on and off. Throws std::out_of_range for no axis' name.
[[nodiscard]] const std::vector<std::string>& axis_choices(std::string_view axis);

/// What is asked for, or was used, as records and options say it: a bool is on or off.
[[nodiscard]] inline std::string axis_text(const std::string& asked) {
  return asked;
}
template <std::same_as<bool> Switch> // no pointer is one
[[nodiscard]] std::string axis_text(Switch asked) {
  return asked ? "on" : "off";
}

} // namespace sdbench

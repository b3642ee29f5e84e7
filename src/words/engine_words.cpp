#include "sdbench/words/engine_words.h"

#include <utility>

#include "sdbench/core/engine.h"

namespace sdbench {
namespace {

/// What was asked for and what came of it, which is empty where nothing has run.
struct Axis {
  const std::string& asked;
  const std::string& used;

  [[nodiscard]] bool has_run_otherwise() const { return !used.empty() && used != asked; }
};

/// `word` where `value` was asked for, also if that changed nothing.
std::string said(const Axis& axis, const char* value, const std::string& word) {
  if (axis.asked != value) {
    return "";
  }
  return axis.has_run_otherwise() ? word + " without effect" : word;
}

/// Where "off" and "on" were asked for.
std::string switched(const Axis& axis, const std::string& off, const std::string& on) {
  return axis.asked == "off" ? off : said(axis, "on", on);
}

std::string format_words(const Axis& format) {
  if (format.asked == "auto") {
    return "";
  }
  return format.has_run_otherwise() ? format.used + " instead of " + format.asked : format.asked;
}

/// Whose kernels were asked for; where they were not to be had, what was instead.
std::string packed_words(const Axis& packed) {
  const std::pair<const char*, std::string> others[] = {
      {"own", "own kernels"}, {"winograd", "Winograd"}, {"onednn", "oneDNN"}};
  for (const auto& [name, whose] : others) {
    if (packed.asked != name) {
      continue;
    }
    if (packed.used == "off") {
      return "not packed for " + whose;
    }
    const bool by_onednn = packed.used == "onednn" && packed.has_run_otherwise();
    return (by_onednn ? "packed for oneDNN instead of " : "packed for ") + whose;
  }
  return packed.asked == "off" ? "weights not packed" : "";
}

std::string graphs_words(const Axis& graphs) {
  if (graphs.asked == "loop" && graphs.used == "on") {
    return "CUDA graphs instead of one of the loop";
  }
  return graphs.asked == "loop" ? said(graphs, "loop", "CUDA graph of the loop")
                                : switched(graphs, "no CUDA graphs", "CUDA graphs");
}

} // namespace

std::string engine_words(const RunRecord& r) {
  const std::string parts[] = {
      r.engine == kPlainEngine ? "plain engine" : "",
      format_words({r.memory_format, r.memory_format_used}),
      packed_words({r.packed_weights, r.packed_weights_used}),
      switched({r.fused, r.fused_used}, "not fused", "fused"),
      r.host_allocator == "auto" || r.host_allocator.empty() ? ""
                                                             : r.host_allocator + " host allocator",
      switched({r.kv_cache, r.kv_cache_used}, "no KV cache", "KV cache"),
      switched({r.time_cache, r.time_cache_used}, "no time cache", "time cache"),
      switched({r.shared_prefix, r.shared_prefix_used}, "no shared prefix", "shared prefix"),
      graphs_words({r.graphs, r.graphs_used}),
      r.kernels == "aten" ? "ATen's kernels"
                          : said({r.kernels, r.kernels_used}, "own", "own kernels"),
      said({r.tf32, r.tf32_used}, "on", "TF32"),
      said({r.tf32, r.tf32_used}, "conv", "TF32 in convolutions"),
      r.cudnn_benchmark == "on" ? "cuDNN benchmark" : "",
      r.offload == "stages" ? "offload by stages" : "",
      r.vae_tiling == "on" ? "VAE tiling" : ""};
  std::string words;
  for (const std::string& part : parts) {
    words += (words.empty() || part.empty() ? "" : ", ") + part;
  }
  return words;
}

} // namespace sdbench

#include "sdbench/sink/engine_words.h"

#include <utility>

#include "sdbench/core/engine.h"

namespace sdbench {
namespace {

/// Whose kernels were asked for; where they were not to be had, what was instead.
std::string packed_words(const RunRecord& record) {
  const std::string& asked = record.packed_weights;
  const std::string& used = record.packed_weights_used;
  const std::pair<const char*, const char*> others[] = {
      {"own", "own kernels"}, {"winograd", "Winograd"}, {"onednn", "oneDNN"}};
  for (const auto& [name, whose] : others) {
    if (asked == name) {
      const bool by_onednn = used == "onednn" && asked != used;
      return used == "off" ? std::string("not packed for ") + whose
                           : (by_onednn ? "packed for oneDNN instead of " : "packed for ") +
                                 std::string(whose);
    }
  }
  return asked == "off" ? "weights not packed" : "";
}

} // namespace

std::string engine_words(const RunRecord& record) {
  const std::string packed = packed_words(record);
  const std::pair<bool, const char*> axes[] = {
      {record.engine == kPlainEngine, "plain engine"},
      {record.memory_format == "channels-last", "channels-last"},
      {record.memory_format == "contiguous", "contiguous"},
      {!packed.empty(), packed.c_str()},
      {record.fused == "on", "fused"},
      {record.fused == "off", "not fused"},
      {record.host_allocator == "caching", "caching host allocator"},
      {record.host_allocator == "system", "system host allocator"},
      {record.kv_cache == "on", "KV cache"},
      {record.kv_cache == "off", "no KV cache"},
      {record.time_cache == "on", "time cache"},
      {record.time_cache == "off", "no time cache"},
      {record.shared_prefix == "on", "shared prefix"},
      {record.shared_prefix == "off", "no shared prefix"},
      {record.graphs == "on", "CUDA graphs"},
      {record.graphs == "loop", "CUDA graph of the loop"},
      {record.graphs == "off", "no CUDA graphs"},
      {record.kernels == "own", "own kernels"},
      {record.kernels == "aten", "ATen's kernels"},
      {record.tf32 == "on", "TF32"},
      {record.cudnn_benchmark == "on", "cuDNN benchmark"},
      {record.offload == "stages", "offload by stages"},
      {record.vae_tiling == "on", "VAE tiling"},
  };
  std::string words;
  for (const auto& [asked, word] : axes) {
    if (asked) {
      words += (words.empty() ? "" : ", ") + std::string(word);
    }
  }
  return words;
}

} // namespace sdbench

#pragma once

#include <string>

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

} // namespace sdbench

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sdbench/base/config/model_config.h"
#include "sdbench/engine/nn/attention_trial.h"
#include "sdbench/engine/pipeline/pipeline_options.h"

namespace sdbench {

/// Names the kernel that computes self-attention in each resolution level of the denoiser, from the
/// finest level down: "flash", "efficient", "math", "sliced", … The name is empty for a level
/// without attention. `width`, `height`: of the image, in pixels. Computes no attention: asks
/// libtorch which kernel it would choose for the shape, dtype and device. Throws Error if the
/// requested kernel cannot run in the first level that has attention.
[[nodiscard]] std::vector<std::string> level_attention(const ModelConfig& config,
                                                       const PipelineOptions& options,
                                                       std::int64_t width, std::int64_t height);

/// Joins the names from level_attention() for a record, each name once, as in "cudnn+flash".
[[nodiscard]] std::string attention_used(const std::vector<std::string>& levels);

/// Calls settle_attention() of nn/attention_trial.h for each attention that text encoders, denoiser
/// and VAE compute for one image: causal, self- and cross-attention. After that, level_attention()
/// names the kernels that really run. Returns all lines that these calls return, each one once.
[[nodiscard]] std::vector<std::string>
settle_attention(const ModelConfig& config, const PipelineOptions& options, std::int64_t width,
                 std::int64_t height, const AttentionAttempt& attempt = attempt_attention,
                 const FreeBytes& free_bytes = {});

} // namespace sdbench

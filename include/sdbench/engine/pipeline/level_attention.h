#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sdbench/base/config/model_config.h"
#include "sdbench/engine/nn/attention_trial.h"
#include "sdbench/engine/pipeline/pipeline_options.h"

namespace sdbench {

/// The attention kernel of the self-attention of each level of a denoiser at this size (pixels),
/// from its finest down: "flash", "efficient", "math", "sliced", …; empty for a level that does not
/// attend. What libtorch would choose by shape, dtype and device: nothing is computed. Throws Error
/// if the kernel asked for cannot run in the first level that attends.
[[nodiscard]] std::vector<std::string> level_attention(const ModelConfig& config,
                                                       const PipelineOptions& options,
                                                       std::int64_t width, std::int64_t height);

/// Those names in the form of records: each once, from the finest level down, "cudnn+flash".
[[nodiscard]] std::string attention_used(const std::vector<std::string>& levels);

/// settle_attention() for all that text encoders, denoiser and VAE compute for one image: causal,
/// self and cross-attention. After it level_attention() tells what runs. Returns its lines, each
/// once.
[[nodiscard]] std::vector<std::string>
settle_attention(const ModelConfig& config, const PipelineOptions& options, std::int64_t width,
                 std::int64_t height, const AttentionAttempt& attempt = attempt_attention);

} // namespace sdbench

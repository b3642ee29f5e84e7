#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sdbench/base/config/model_config.h"
#include "sdbench/engine/nn/attention_trial.h"
#include "sdbench/engine/pipeline/pipeline_options.h"

namespace sdbench {

/// The kernel of the self-attention in each level of a UNet at this size (pixels), from the finest
/// level down: "flash", "efficient", "math", "sliced", …; empty for a level without attention. This
/// is libtorch's choice by shape, dtype and device: nothing is computed. Throws Error if the
/// requested kernel cannot run in the first level with attention.
[[nodiscard]] std::vector<std::string> level_attention(const ModelConfig& config,
                                                       const PipelineOptions& options,
                                                       std::int64_t width, std::int64_t height);

/// Those names in the form of records: each once, from the finest level down, "cudnn+flash".
[[nodiscard]] std::string attention_used(const std::vector<std::string>& levels);

/// settle_attention() for all attention of one image: in text encoders, UNet and VAE; causal, self-
/// and cross-attention. Afterwards level_attention() returns what runs. Returns its lines, each
/// once.
[[nodiscard]] std::vector<std::string>
settle_attention(const ModelConfig& config, const PipelineOptions& options, std::int64_t width,
                 std::int64_t height, const AttentionAttempt& attempt = attempt_attention);

} // namespace sdbench

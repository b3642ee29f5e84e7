#include "sdbench/engine/pipeline/level_attention.h"

#include <cstddef>
#include <functional>
#include <vector>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/StringUtil.h>

#include "sdbench/base/text/listed.h"
#include "sdbench/engine/nn/attention.h"
#include "sdbench/engine/nn/attention_kernel.h"
#include "sdbench/engine/pipeline/denoiser.h"

namespace sdbench {
namespace {

/// Queries (or keys) of one image as a layer makes them, [1, heads, tokens, width / heads].
at::Tensor heads_of(std::int64_t heads, std::int64_t tokens, std::int64_t width,
                    const StageDtype& dtype, at::Device device) {
  const auto form = at::TensorOptions(device).dtype(dtype.arithmetic());
  return split_heads(at::empty({1, tokens, width}, form), heads);
}

/// Queries, keys and values of one image as a self-attention layer makes them: with our GPU
/// kernels, slices of one tensor, like `q` else.
std::vector<at::Tensor> self_heads_of(const at::Tensor& q, bool own_kernels) {
  if (!own_kernels) {
    return {q, q, q};
  }
  std::vector<at::Tensor> parts;
  const std::int64_t width = q.size(1) * q.size(3);
  for (const at::Tensor& part : at::empty({1, q.size(2), 3 * width}, q.options()).chunk(3, -1)) {
    parts.push_back(split_heads(part, q.size(1)));
  }
  return parts;
}

std::vector<AttentionLevel> levels_of(const ModelConfig& config, std::int64_t width,
                                      std::int64_t height) {
  const std::int64_t factor = config.vae.scale_factor();
  return attention_levels(config.denoiser, height / factor, width / factor);
}

/// Calls `visit` with index and query of each level that has attention.
void for_each_level(const ModelConfig& config, const PipelineOptions& options, std::int64_t width,
                    std::int64_t height,
                    const std::function<void(std::size_t, const at::Tensor&)>& visit) {
  const auto levels = levels_of(config, width, height);
  for (std::size_t level = 0; level < levels.size(); ++level) {
    const auto [heads, tokens, channels] = levels[level];
    if (heads > 0) {
      visit(level, heads_of(heads, tokens, channels, options.dtype_unet, options.device));
    }
  }
}

} // namespace

std::vector<std::string> level_attention(const ModelConfig& config, const PipelineOptions& options,
                                         std::int64_t width, std::int64_t height) {
  const c10::InferenceMode inference;
  std::vector<std::string> names(levels_of(config, width, height).size());
  bool is_first = true;
  for_each_level(config, options, width, height, [&](std::size_t level, const at::Tensor& q) {
    names[level] =
        is_first ? attention_used(q, options.attention) : attention_instead(q, options.attention);
    is_first = false;
  });
  return names;
}

std::string attention_used(const std::vector<std::string>& levels) {
  std::vector<std::string> names;
  add_new(names, levels);
  std::erase(names, "");
  return c10::Join("+", names);
}

std::vector<std::string> settle_attention(const ModelConfig& config, const PipelineOptions& options,
                                          std::int64_t width, std::int64_t height,
                                          const AttentionAttempt& attempt,
                                          const FreeBytes& free_bytes) {
  const c10::InferenceMode inference;
  std::vector<std::string> lines;
  const auto settle = [&](const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                          const AttendOptions& attend) {
    add_new(lines, settle_attention(q, k, v, attend, attempt, free_bytes));
  };
  const auto settle_text = [&](const ClipTextConfig& text) {
    const at::Tensor q = heads_of(text.head_count, text.max_position_count, text.hidden_size,
                                  options.dtype_text, options.device);
    settle(q, q, q, {.causal = true});
  };
  for (const TextEncoderConfig& encoder : config.text_encoders) {
    settle_text(encoder.model);
  }
  for_each_level(config, options, width, height, [&](std::size_t, const at::Tensor& q) {
    const AttendOptions attend{.kernel = options.attention};
    const at::Tensor text = heads_of(q.size(1), token_count(config), q.size(1) * q.size(3),
                                     options.dtype_unet, options.device);
    const auto self = self_heads_of(q, options.own_kernels && !options.dtype_unet.autocast);
    settle(self[0], self[1], self[2], attend);
    settle(q, text, text, attend);
  });
  if (config.vae.mid_block_add_attention) {
    constexpr std::int64_t kTokens = 4096; // kernels depend on the head's width, memory on tokens
    const at::Tensor q = heads_of(1, kTokens, config.vae.block_out_channels.back(),
                                  options.dtype_vae, options.device);
    const auto self = self_heads_of(q, options.own_kernels && !options.dtype_vae.autocast);
    settle(self[0], self[1], self[2], {.kernel = options.attention_vae});
  }
  return lines;
}

} // namespace sdbench

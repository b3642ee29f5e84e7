#pragma once

#include <cstdint>
#include <optional>

#include "sdbench/engine/nn/linear.h"

namespace sdbench {

/// Sines and cosines of a number at `width` / 2 frequencies from 1 down to 1/10000 (diffusers'
/// get_timestep_embedding). Has no weights; always computes in fp32.
class SinusoidalEmbedding {
public:
  /// `flip_sin_to_cos`: cosines first. `freq_shift`: from the config; 0 in every known checkpoint.
  SinusoidalEmbedding(std::int64_t width, bool flip_sin_to_cos, double freq_shift,
                      at::Device device);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& numbers) const; // [N] -> [N, width], fp32

private:
  at::Tensor frequencies_; ///< [1, width / 2]
  bool cosines_first_;
};

/// Embeds a guidance scale [1], fp32, for a UNet that takes it as an input, like diffusers'
/// get_guidance_scale_embedding. Returns [1, width], fp32: first the sines, then the cosines of
/// 1000 * (scale - 1) at `width` / 2 frequencies.
[[nodiscard]] at::Tensor embed_guidance(const at::Tensor& scale, std::int64_t width);

/// Two linear layers with SiLU between. Keys: `linear_1`, `linear_2`. `condition`: width of a
/// second input, projected by `cond_proj` without bias; empty: only one input.
class TimestepEmbedding {
public:
  TimestepEmbedding(const Weights& weights, std::int64_t in, std::int64_t out,
                    std::optional<std::int64_t> condition = std::nullopt);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x) const; // [N, in] -> [N, out]
  /// First projects `condition`, [1, width] in the dtype of x, and adds it to x.
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x, const at::Tensor& condition) const;
  [[nodiscard]] at::TensorOptions options() const; ///< dtype and device

private:
  Linear linear_1_;
  Linear linear_2_;
  std::optional<Linear> condition_;
};

} // namespace sdbench

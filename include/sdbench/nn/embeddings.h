#pragma once

#include "sdbench/nn/linear.h"

namespace sdbench {

/// Sines and cosines of a number at `width` / 2 frequencies from 1 down to 1/10000 (diffusers'
/// get_timestep_embedding). Has no weights; always computes in fp32.
class SinusoidalEmbedding {
public:
  /// `flip_sin_to_cos`: cosines first. `freq_shift`: as in the config, 0 in every known checkpoint.
  SinusoidalEmbedding(std::int64_t width, bool flip_sin_to_cos, double freq_shift,
                      at::Device device);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& numbers) const; // [N] -> [N, width], fp32

private:
  at::Tensor frequencies_; ///< [1, width / 2]
  bool cosines_first_;
};

/// Two linear layers with SiLU between. Keys: `linear_1`, `linear_2`.
class TimestepEmbedding {
public:
  TimestepEmbedding(const Weights& weights, std::int64_t in, std::int64_t out);
  [[nodiscard]] at::Tensor operator()(const at::Tensor& x) const; // [N, in] -> [N, out]
  [[nodiscard]] at::TensorOptions options() const;                ///< dtype and device

private:
  Linear linear_1_;
  Linear linear_2_;
};

} // namespace sdbench

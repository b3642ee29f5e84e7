#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <ATen/core/Tensor.h>

#include "sdbench/base/config/model_config.h"
#include "sdbench/engine/kernels/gpu_kernels.h"
#include "sdbench/engine/nn/attention_kernel.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/pipeline/prompt_encoder.h"

namespace sdbench {

/// The options of a run's steps.
struct DenoisingOptions {
  double guidance = 1;
  bool kv_cache = false;
  bool time_cache = false;
  bool shared_prefix = false;                         ///< if the model and the run allow it
  std::shared_ptr<const GpuKernels> gpu_kernels = {}; ///< for the steps; null: ATen's
};

/// A denoiser's calls for one batch of prompts. Everything that a call reads besides weights is
/// passed as tensors, so that a graph can record it.
class DenoiserRun {
public:
  using Tensors = std::vector<at::Tensor>;

  virtual ~DenoiserRun() = default;
  /// Computes what all calls share.
  [[nodiscard]] virtual Tensors kept() const = 0;
  /// Inputs of the call in `step`, besides the sample. All steps have the same shapes.
  [[nodiscard]] virtual Tensors moment(std::int64_t step) const = 0;
  /// sample [B, C, h, w], scaled. `kept` and `moment`: results of the two functions above, or
  /// copies. Returns [B, C, h, w], or [2B, C, h, w] if the conditioning is guided.
  [[nodiscard]] virtual at::Tensor call(const at::Tensor& sample, const Tensors& kept,
                                        const Tensors& moment) const = 0;
};

/// Interface of a model that predicts noise. The loop, graphs and samplers use only this.
class Denoiser {
public:
  virtual ~Denoiser() = default;
  /// Computes what the steps share. timesteps [steps], fp32, on the device. size: of the sample,
  /// [B, C, h, w]. This must outlive the result.
  [[nodiscard]] virtual std::shared_ptr<const DenoiserRun>
  prepare(const Conditioning& conditioning, const at::Tensor& timesteps, at::IntArrayRef size,
          const DenoisingOptions& options) const = 0;
};

/// Builds a denoiser from its weights. `kernel`: of its attention.
using DenoiserMaker = std::function<std::unique_ptr<const Denoiser>(
    const DenoiserConfig& config, const Weights& weights, Attention kernel)>;
/// Builds any kind of config.
[[nodiscard]] std::unique_ptr<const Denoiser>
make_denoiser(const DenoiserConfig& config, const Weights& weights, Attention kernel);

/// The self-attention of one level for one image; without heads the level does not attend.
struct AttentionLevel {
  std::int64_t heads = 0;
  std::int64_t tokens = 0;
  std::int64_t width = 0; ///< of all heads
};
/// From the finest level down; height and width in latent pixels.
[[nodiscard]] std::vector<AttentionLevel> attention_levels(const DenoiserConfig& config,
                                                           std::int64_t height, std::int64_t width);

} // namespace sdbench

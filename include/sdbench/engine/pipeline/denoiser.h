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

/// Options for the denoising steps of one run. PipelineOptions describes the caches and
/// `shared_prefix`.
struct DenoisingOptions {
  double guidance = 1;
  bool kv_cache = false;
  bool time_cache = false;
  bool shared_prefix = false; ///< ignored if the model or the run does not allow it
  std::shared_ptr<const GpuKernels> gpu_kernels = {}; ///< for DenoisingStep; null: ATen's operators
};

/// A denoiser prepared for one batch of prompts. Besides the weights, call() reads only the tensors
/// that are passed to it, so that a CUDA graph can record it.
class DenoiserRun {
public:
  using Tensors = std::vector<at::Tensor>;

  virtual ~DenoiserRun() = default;
  /// Returns the tensors that all calls share, such as the text states.
  [[nodiscard]] virtual Tensors kept() const = 0;
  /// Returns, for the call in `step`, the tensors that differ from step to step, such as the
  /// timestep. Their shapes are the same in all steps.
  [[nodiscard]] virtual Tensors moment(std::int64_t step) const = 0;
  /// `sample`: [B, C, h, w], scaled by DiffusionSampler::model_input(). `kept` and `moment`:
  /// results of kept() and moment(), or copies of them. Returns [B, C, h, w], or [2B, C, h, w] if
  /// the conditioning is guided.
  [[nodiscard]] virtual at::Tensor call(const at::Tensor& sample, const Tensors& kept,
                                        const Tensors& moment) const = 0;
};

/// Interface of a model that predicts noise. DenoisingLoop uses a model only through this
/// interface.
class Denoiser {
public:
  virtual ~Denoiser() = default;
  /// Computes once what all steps share. `timesteps`: [steps], fp32, on the device. `size`: shape
  /// of the sample, [B, C, h, w]. This denoiser must outlive the result.
  [[nodiscard]] virtual std::shared_ptr<const DenoiserRun>
  prepare(const Conditioning& conditioning, const at::Tensor& timesteps, at::IntArrayRef size,
          const DenoisingOptions& options) const = 0;
};

/// Builds a denoiser from its weights. `kernel`: the kernel for its attention.
using DenoiserMaker = std::function<std::unique_ptr<const Denoiser>(
    const DenoiserConfig& config, const Weights& weights, Attention kernel)>;
/// Builds a denoiser of the kind that `config` holds.
[[nodiscard]] std::unique_ptr<const Denoiser>
make_denoiser(const DenoiserConfig& config, const Weights& weights, Attention kernel);

/// Self-attention in one resolution level of a denoiser, for one image. A level with 0 heads has no
/// attention.
struct AttentionLevel {
  std::int64_t heads = 0;
  std::int64_t tokens = 0;
  std::int64_t width = 0; ///< channels of all heads together
};
/// Returns the denoiser's levels, from the finest down. `height`, `width`: in latent pixels.
[[nodiscard]] std::vector<AttentionLevel> attention_levels(const DenoiserConfig& config,
                                                           std::int64_t height, std::int64_t width);

} // namespace sdbench

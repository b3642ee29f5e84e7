#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "sdbench/base/types/component_table.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/engine/nn/attention_kernel.h"
#include "sdbench/engine/nn/layer_source.h"

namespace sdbench {

/// The Precision of a stage (text, UNet, VAE) in ATen's types.
struct StageDtype {
  at::ScalarType weights = at::kFloat;
  std::optional<at::ScalarType> autocast; ///< dtype that autocast converts to; empty: no autocast

  StageDtype() = default;
  /// An implicit conversion: without autocast, a stage computes in the dtype of its weights.
  StageDtype(at::ScalarType plain) // NOLINT(google-explicit-constructor)
      : weights(plain) {}
  explicit StageDtype(Precision precision);
  /// The dtype of the operators that take most of the time.
  [[nodiscard]] at::ScalarType arithmetic() const { return autocast.value_or(weights); }
  friend bool operator==(const StageDtype&, const StageDtype&) = default;
};

/// Which weights stay on the device. `kNone`: those of all stages. `kStages`: only those of the
/// stage that runs. The weights of each stage are loaded again when it runs: on a CPU from their
/// files, for a GPU from host memory.
enum class Offload { kNone, kStages };

/// The work that is recorded as a CUDA graph, which a GPU then replays with one launch: none, one
/// call of the UNet, or all steps of a run.
enum class Graphs { kNone, kStep, kLoop };

/// The fp32 operators that round their inputs to TF32 on a GPU: none, only convolutions (libtorch's
/// default), or convolutions and matrix products.
enum class Tf32 { kNone, kConvolutions, kAll };

/// All options for building a pipeline. Equal options and equal weights build equal pipelines.
struct PipelineOptions {
  at::Device device = at::kCPU;
  StageDtype dtype_text = {};
  StageDtype dtype_unet = {};
  StageDtype dtype_vae = {};
  Attention attention = Attention::kAuto; ///< kernel of the UNet's attention
  /// Kernel of the VAE's attention. Few kernels support that attention's head width of 512.
  Attention attention_vae = Attention::kAuto;
  at::MemoryFormat memory_format_unet =
      at::MemoryFormat::Contiguous; ///< memory format of the UNet's activations
  at::MemoryFormat memory_format_vae = at::MemoryFormat::Contiguous;
  Offload offload = Offload::kNone;
  bool vae_tiling = false;
  /// Largest number of elements that an activation in the VAE may have. A batch that would exceed
  /// it is decoded in parts of at least one image. Empty: the whole batch is decoded at once.
  std::optional<std::int64_t> most_decoded = {};
  /// Used only in fp32 or bf16 without autocast, on a CPU for which can_pack() is true.
  Packing packing = Packing::kNone;
  /// Computes the cross-attention keys and values once for each batch of prompts, not in each step.
  bool kv_cache = false;
  /// Projects the time embedding for all ResNet blocks and all steps once, before the first step.
  bool time_cache = false;
  /// Computes the layers before the first use of the text once for both halves of guidance. Has no
  /// effect on SDXL, whose time embedding contains the text.
  bool shared_prefix = false;
  Graphs graphs = Graphs::kNone; ///< only on a GPU, without offload
  /// Uses our own kernels in UNet and VAE, and on a GPU also in the text encoders and in
  /// DenoisingStep.
  bool own_kernels = false;
  /// cuBLAS sums the products of fp16 numbers in fp16; only on a GPU, with a stage in fp16.
  bool fp16_accumulation = false;
  Tf32 tf32 = Tf32::kNone; ///< kNone if the device has no TF32 or no stage is in fp32

  friend bool operator==(const PipelineOptions&, const PipelineOptions&) = default;
};

/// Makes the layer source of a component, in the given dtype on the given device.
using LayerSourceFactory =
    std::function<std::unique_ptr<LayerSource>(Component, at::ScalarType, at::Device)>;

} // namespace sdbench

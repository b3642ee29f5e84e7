#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "sdbench/base/types/component.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/engine/nn/attention_kernel.h"
#include "sdbench/engine/nn/layer_source.h"

namespace sdbench {

/// A stage's Precision in ATen's types.
struct StageDtype {
  at::ScalarType weights = at::kFloat;
  std::optional<at::ScalarType> autocast; ///< dtype of the operators in autocast's list

  StageDtype() = default;
  /// Implicit: without autocast a stage computes in the dtype of its weights.
  StageDtype(at::ScalarType plain) // NOLINT(google-explicit-constructor)
      : weights(plain) {}
  explicit StageDtype(Precision precision);
  /// The dtype of the operators that take most of the time.
  [[nodiscard]] at::ScalarType arithmetic() const { return autocast.value_or(weights); }
  friend bool operator==(const StageDtype&, const StageDtype&) = default;
};

/// What stays on the device. `kStages`: only the weights of one stage. The weights of other stages
/// are loaded again at their turn: on a CPU from their files, for a GPU from host memory.
enum class Offload { kNone, kStages };

/// What a GPU replays as a CUDA graph, recorded once and then started by one launch: nothing, each
/// call of the UNet, or all steps of a run.
enum class Graphs { kNone, kStep, kLoop };

/// The fp32 products whose factors a GPU rounds to TF32: none, those of convolutions (libtorch's
/// default), or all.
enum class Tf32 { kNone, kConvolutions, kAll };

/// All options for building a pipeline. Equal options and equal weights build equal pipelines.
struct PipelineOptions {
  at::Device device = at::kCPU;
  StageDtype dtype_text = {};
  StageDtype dtype_unet = {};
  StageDtype dtype_vae = {};
  Attention attention = Attention::kAuto;     ///< of the UNet
  Attention attention_vae = Attention::kAuto; ///< few kernels support its head of 512
  at::MemoryFormat memory_format_unet = at::MemoryFormat::Contiguous; ///< of its images
  at::MemoryFormat memory_format_vae = at::MemoryFormat::Contiguous;
  Offload offload = Offload::kNone;
  bool vae_tiling = false;
  /// Most numbers in an intermediate result of the VAE. More images are decoded in parts of at
  /// least one image. Empty: all at once.
  std::optional<std::int64_t> most_decoded = {};
  Packing packing = Packing::kNone; ///< in fp32 and bf16 without autocast, on a CPU that can_pack
  bool kv_cache = false;            ///< computes the text's keys and values once for a prompt
  bool time_cache = false;          ///< computes the time embedding's shifts once for all steps
  bool shared_prefix = false;    ///< guidance's halves are one until the text is used; not in SDXL
  Graphs graphs = Graphs::kNone; ///< only on a GPU that keeps all weights
  bool own_kernels = false;      ///< our own kernels in UNet and VAE, on a GPU also in the steps
  Tf32 tf32 = Tf32::kNone;       ///< if the device has it and a stage is in fp32

  friend bool operator==(const PipelineOptions&, const PipelineOptions&) = default;
};

/// Makes the weight source of a component, in the given dtype on the given device.
using WeightSourceFactory =
    std::function<std::unique_ptr<LayerSource>(Component, at::ScalarType, at::Device)>;

} // namespace sdbench

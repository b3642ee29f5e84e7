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
  std::optional<at::ScalarType> autocast; ///< what the operators of autocast's list compute in

  StageDtype() = default;
  /// Implicit: without autocast a stage computes in the dtype of its weights.
  StageDtype(at::ScalarType plain) // NOLINT(google-explicit-constructor)
      : weights(plain) {}
  explicit StageDtype(Precision precision);
  /// The dtype of the operators that take most of the time.
  [[nodiscard]] at::ScalarType arithmetic() const { return autocast.value_or(weights); }
  friend bool operator==(const StageDtype&, const StageDtype&) = default;
};

/// What the device holds. `kStages`: the weights of one stage alone. Those of the others are read
/// anew when it is their turn: on a CPU from where they lie, for a GPU from host memory.
enum class Offload { kNone, kStages };

/// What a GPU gets as a CUDA graph, recorded once and then started by one launch: nothing, each of
/// the UNet's calls, or all steps of a run.
enum class Graphs { kNone, kStep, kLoop };

/// The fp32 products whose factors a GPU rounds to TF32: none, those of convolutions (libtorch's
/// default), or all.
enum class Tf32 { kNone, kConvolutions, kAll };

/// All options that a pipeline is built with. Equal options and equal weights build equal
/// pipelines.
struct PipelineOptions {
  at::Device device = at::kCPU;
  StageDtype dtype_text = {};
  StageDtype dtype_unet = {};
  StageDtype dtype_vae = {};
  Attention attention = Attention::kAuto;     ///< of the UNet
  Attention attention_vae = Attention::kAuto; ///< whose head of 512 few kernels know
  at::MemoryFormat memory_format_unet = at::MemoryFormat::Contiguous; ///< of images in it
  at::MemoryFormat memory_format_vae = at::MemoryFormat::Contiguous;
  Offload offload = Offload::kNone;
  bool vae_tiling = false;
  /// Most numbers that an intermediate result of the VAE may have: more images than that are
  /// decoded in parts, of one image at least. None: all at once.
  std::optional<std::int64_t> most_decoded = {};
  Packing packing = Packing::kNone; ///< in fp32 and bf16 without autocast, on a CPU that can_pack
  bool kv_cache = false;            ///< the text's keys and values once a prompt, not in each step
  bool time_cache = false;          ///< what time adds once for all steps
  bool shared_prefix = false;    ///< guidance's halves are one until the text comes in; not SDXL's
  Graphs graphs = Graphs::kNone; ///< of a GPU, all weights staying
  bool own_kernels = false;      ///< kernels of our own in UNet and VAE, on a GPU in the steps, too
  Tf32 tf32 = Tf32::kNone;       ///< where the device has it and some stage is in fp32

  friend bool operator==(const PipelineOptions&, const PipelineOptions&) = default;
};

/// Makes the weight source of a component, in the given dtype on the given device.
using WeightSourceFactory =
    std::function<std::unique_ptr<LayerSource>(Component, at::ScalarType, at::Device)>;

} // namespace sdbench

#include "sdbench/engine/pipeline/pipeline_models.h"

#include <array>
#include <utility>

#include <ATen/ATen.h>

#include "sdbench/base/config/model_family_table.h"
#include "sdbench/base/device/host.h"
#include "sdbench/base/types/component_table.h"
#include "sdbench/engine/kernels/gpu_kernels.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/packed_weights.h"
#include "sdbench/engine/nn/weight_form.h"
#include "sdbench/engine/pipeline/host_allocator.h"
#include "sdbench/engine/pipeline/kept_weights.h"

namespace sdbench {
namespace {

constexpr std::array kStages{Stage::kText, Stage::kUNet, Stage::kVae};

} // namespace

PipelineModels::PipelineModels(const ModelConfig& config, LayerSourceFactory weights,
                               const PipelineOptions& options, ModelMakers makers)
    : config_(config), weights_(std::move(weights)), options_(options), makers_(std::move(makers)) {
  const bool offload = options_.offload == Offload::kStages;
  if (offload && !options_.device.is_cpu()) {
    weights_ = keep_in_host_memory(std::move(weights_));
  }
  if (offload || options_.packing != Packing::kNone) {
    // First builds on the meta device, without memory: errors in the weights are reported now,
    // before they are packed and before any run.
    build_all(at::kMeta);
    release();
  }
  if (!offload) {
    build_all(options_.device);
  }
}

void PipelineModels::build_all(at::Device device) {
  for (const Stage stage : kStages) {
    build(stage, device);
  }
}

/// Not for text encoders on a CPU, where their share is small; and under autocast ATen decides for
/// each operator.
bool PipelineModels::has_own_kernels(Component component, const StageDtype& dtype) const {
  const bool has_images = component == Component::kUNet || component == Component::kVae;
  return options_.own_kernels && (has_images || options_.device.is_cuda()) && !dtype.autocast;
}

/// Builds a model from a component's source. Throws Error if their keys do not match.
template <class Make>
auto PipelineModels::build_model(Component component, const StageDtype& dtype, at::Device device,
                                 const Make& make) const {
  const bool own_kernels = has_own_kernels(component, dtype);
  FormedSource source(weights_(component, dtype.weights, device),
                      {.memory_format = component == Component::kVae ? options_.memory_format_vae
                                                                     : options_.memory_format_unet,
                       .for_autocast = dtype.autocast.has_value(),
                       .packing = packing_of(dtype, device),
                       .cpu_kernels = own_kernels && device.is_cpu(),
                       .gpu_kernels = own_kernels && device.is_cuda()
                                          ? gpu_kernels_for(device, dtype.weights)
                                          : nullptr});
  auto model = make(Weights(source));
  source.finish();
  return model;
}

Packing PipelineModels::packing_of(const StageDtype& dtype, at::Device device) const {
  return !dtype.autocast && can_pack(device, dtype.weights, cpu_has_bf16()) ? options_.packing
                                                                            : Packing::kNone;
}

void PipelineModels::build(Stage stage, at::Device device) {
  const WeightMemory memory;
  switch (stage) {
  case Stage::kText: {
    TextEncoders models;
    for (const TextEncoderConfig& encoder : config_.text_encoders) {
      models.push_back(
          build_model(encoder.component, options_.dtype_text, device, [&](const Weights& weights) {
            return makers_.text_encoder(encoder, family_of(config_.pipeline), weights);
          }));
    }
    text_ = std::move(models); // all encoders or none
    break;
  }
  case Stage::kUNet:
    denoiser_ =
        build_model(Component::kUNet, options_.dtype_unet, device, [&](const Weights& from) {
          return makers_.denoiser(config_.denoiser, from, options_.attention);
        });
    break;
  case Stage::kVae:
    vae_.emplace(build_model(Component::kVae, options_.dtype_vae, device, [&](const Weights& from) {
      return AutoencoderKl(from, config_.vae, options_.attention_vae);
    }));
    break;
  }
}

void PipelineModels::release() {
  text_.reset();
  denoiser_.reset();
  vae_.reset();
  if (options_.device.is_cpu()) {
    release_freed_memory();
  }
}

bool PipelineModels::holds(Stage stage) const {
  return stage == Stage::kText   ? text_.has_value()
         : stage == Stage::kUNet ? denoiser_ != nullptr
                                 : vae_.has_value();
}

void PipelineModels::bring(Stage stage) {
  if (!holds(stage)) {
    release();
    build(stage, options_.device);
    if (options_.device.is_cpu()) {
      release_freed_memory(); // memory that packing left, which this stage may need
    }
  }
}

const TextEncoders& PipelineModels::text() {
  bring(Stage::kText);
  return *text_;
}

const Denoiser& PipelineModels::denoiser() {
  bring(Stage::kUNet);
  return *denoiser_;
}

const AutoencoderKl& PipelineModels::vae() {
  bring(Stage::kVae);
  return *vae_;
}

} // namespace sdbench

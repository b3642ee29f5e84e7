#pragma once

#include <memory>
#include <optional>

#include "sdbench/base/config/model_config.h"
#include "sdbench/engine/models/autoencoder_kl.h"
#include "sdbench/engine/pipeline/denoiser.h"
#include "sdbench/engine/pipeline/pipeline_options.h"
#include "sdbench/engine/pipeline/text_encoder.h"

namespace sdbench {

enum class Stage { kText, kUNet, kVae };

/// Functions that build the parts of a pipeline whose kind depends on the model.
struct ModelMakers {
  TokenizerMaker tokenizer = make_tokenizer;
  TextEncoderMaker text_encoder = make_text_encoder;
  DenoiserMaker denoiser = make_denoiser;
};

/// The models of a pipeline. All are on the device, or only those of one stage at a time
/// (Offload::kStages).
class PipelineModels {
public:
  /// Throws an Error that lists all wrong keys of a model's weights. Offload::kStages loads the
  /// weights later, but their keys are checked here. `config` must outlive this.
  PipelineModels(const ModelConfig& config, LayerSourceFactory weights,
                 const PipelineOptions& options, ModelMakers makers);

  /// Puts the stage's weights on the device, unless they are there already. First releases the
  /// weights of other stages.
  void bring(Stage stage);

  // Each of these calls bring() for its stage first.
  [[nodiscard]] const TextEncoders& text(); ///< two for SDXL
  [[nodiscard]] const Denoiser& denoiser();
  [[nodiscard]] const AutoencoderKl& vae();

private:
  void build(Stage stage, at::Device device);
  void build_all(at::Device device);
  void release();
  [[nodiscard]] bool holds(Stage stage) const;
  [[nodiscard]] Packing packing_of(const StageDtype& dtype, at::Device device) const;
  [[nodiscard]] bool has_own_kernels(Component component, const StageDtype& dtype) const;
  template <class Make>
  [[nodiscard]] auto build_model(Component component, const StageDtype& dtype, at::Device device,
                                 const Make& make) const;

  const ModelConfig& config_;
  LayerSourceFactory weights_;
  PipelineOptions options_;
  ModelMakers makers_;
  std::optional<TextEncoders> text_;
  std::unique_ptr<const Denoiser> denoiser_;
  std::optional<AutoencoderKl> vae_;
};

} // namespace sdbench

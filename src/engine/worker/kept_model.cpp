#include "sdbench/engine/worker/kept_model.h"

#include <utility>

#include "sdbench/base/config/install_paths.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/weights/locate.h"
#include "sdbench/engine/pipeline/pipeline_options.h"
#include "sdbench/engine/worker/layer_sources.h"

namespace sdbench {

bool KeptModel::fits(const Cell& cell, const PipelineOptions& options) const {
  return loaded_ && loaded_->key == key_of(cell, options);
}

void KeptModel::load(const Cell& cell, const PipelineOptions& options) {
  const auto found = std::make_shared<LoadedWeights>();
  loaded_.emplace(
      Loaded{key_of(cell, options),
             StableDiffusion(cell.model, make_layer_sources(cell.weights, found), options),
             identity_of(cell.weights), found, std::nullopt});
  has_loaded_ = true;
}

const GoldenResult& KeptModel::golden() {
  if (!loaded_->golden) {
    loaded_->golden =
        check_golden(loaded_->pipeline, loaded_->key.options, share_folder() / "golden");
  }
  return *loaded_->golden;
}

KeptModel::Key KeptModel::key_of(const Cell& cell, const PipelineOptions& options) {
  const ModelConfig& model = cell.model;
  const WeightsLocation& weights = cell.weights;
  auto tokenizers = mapped(model.text_encoders, [](const TextEncoderConfig& encoder) {
    return encoder.tokenizer.folder;
  });
  return {model.name,   model.source, std::move(tokenizers), weights.kind, weights.path,
          weights.seed, options,      host_allocator()};
}

} // namespace sdbench

#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/base/plan/cell.h"
#include "sdbench/engine/nn/loaded_weights.h"
#include "sdbench/engine/pipeline/golden.h"
#include "sdbench/engine/pipeline/host_allocator.h"
#include "sdbench/engine/pipeline/stable_diffusion.h"

namespace sdbench {

/// The model that stands on the device. It outlives its cell, so that the next one need not load it
/// again if all that loading depends on is the same.
class KeptModel {
public:
  [[nodiscard]] bool fits(const Cell& cell, const PipelineOptions& options) const;
  /// Loads the cell's model. Call drop() first: a small GPU does not hold two.
  void load(const Cell& cell, const PipelineOptions& options);
  void drop() { loaded_.reset(); }
  /// True if a model was ever loaded, so that this process has computed on its device.
  [[nodiscard]] bool has_loaded() const { return has_loaded_; }

  [[nodiscard]] const StableDiffusion& pipeline() const { return loaded_->pipeline; }
  [[nodiscard]] const std::string& weights_identity() const { return loaded_->identity; }
  /// Contents of the weights' files; empty for synthetic weights.
  [[nodiscard]] const LoadedWeights& loaded_weights() const { return *loaded_->found; }
  /// The golden check of this model in these options, made once.
  [[nodiscard]] const GoldenResult& golden();

private:
  /// What loading depends on.
  struct Key {
    std::string name;
    Json configs;
    std::vector<std::filesystem::path> tokenizers;
    WeightsLocation::Kind kind = WeightsLocation::Kind::kSynthetic;
    std::filesystem::path path;
    std::uint64_t seed = 0;
    PipelineOptions options;
    HostAllocator allocator = HostAllocator::kSystem; ///< whose memory the weights lie in
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Loaded {
    Key key;
    StableDiffusion pipeline;
    std::string identity;
    std::shared_ptr<const LoadedWeights> found;
    std::optional<GoldenResult> golden;
  };
  static Key key_of(const Cell& cell, const PipelineOptions& options);

  std::optional<Loaded> loaded_;
  bool has_loaded_ = false;
};

} // namespace sdbench

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

/// The model on the device. It stays loaded after a cell has run. The next cell uses it if that
/// cell has the same model, weights and options.
class KeptModel {
public:
  /// True if the kept model serves this cell.
  [[nodiscard]] bool fits(const Cell& cell, const PipelineOptions& options) const;
  /// Loads the cell's model. Call drop() first: a small GPU cannot hold two models.
  void load(const Cell& cell, const PipelineOptions& options);
  void drop() { loaded_.reset(); }
  /// True if a model was ever loaded, that is, if this process has computed on its device.
  [[nodiscard]] bool has_loaded() const { return has_loaded_; }

  [[nodiscard]] const StableDiffusion& pipeline() const { return loaded_->pipeline; }
  [[nodiscard]] const std::string& weights_identity() const { return loaded_->identity; }
  /// What was read from the weights' files; empty for synthetic weights.
  [[nodiscard]] const LoadedWeights& loaded_weights() const { return *loaded_->found; }
  /// Result of check_golden() for this model with these options. Only the first call computes the
  /// result.
  [[nodiscard]] const GoldenResult& golden();

private:
  /// Everything on which loading depends. The kept model fits cells with an equal key.
  struct Key {
    std::string name;
    Json configs;
    std::vector<std::filesystem::path> tokenizers;
    WeightsLocation::Kind kind = WeightsLocation::Kind::kSynthetic;
    std::filesystem::path path;
    std::uint64_t seed = 0;
    PipelineOptions options;
    HostAllocator allocator = HostAllocator::kSystem; ///< allocates weights on a CPU
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

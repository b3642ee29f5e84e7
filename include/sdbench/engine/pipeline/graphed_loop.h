#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sdbench/engine/pipeline/denoising_loop.h"

namespace sdbench {

/// A DenoisingLoop that is recorded as one graph after its first run. Later runs with the same
/// shapes and numbers replay it with one launch. Marks within the graph tell when each step was
/// done.
class GraphedLoop {
public:
  explicit GraphedLoop(std::unique_ptr<GraphMaker> maker) : call_(std::move(maker), kWarmUps) {}

  /// Same arguments and result as `loop`. Computes step by step if nothing is recorded yet, or if
  /// `observer` wants to see the tensors of steps.
  [[nodiscard]] at::Tensor operator()(const DenoisingLoop& loop, const DenoisingInputs& inputs,
                                      PipelineObserver& observer);

  /// GraphedCall::why_not_recorded() for the latest run.
  [[nodiscard]] std::string why_not_recorded() const { return call_.why_not_recorded(); }

private:
  /// Everything besides the tensors' shapes that determines a recording's numbers.
  struct Numbers {
    double guidance = 0;
    std::string sampler;
    std::vector<float> sigmas;
    friend bool operator==(const Numbers&, const Numbers&) = default;
  };
  using Marks = std::vector<std::shared_ptr<DeviceMark>>;
  /// The loop as a function of tensors that sets its own marks.
  [[nodiscard]] GraphedCall::Work work(const DenoisingLoop& loop, const DenoisingInputs& form);

  /// One, because a loop has many calls of the UNet, and the first run has made them already.
  static constexpr std::int64_t kWarmUps = 1;

  // Declared in this order, because a graph must be destroyed before its marks.
  std::shared_ptr<Marks> marks_ = std::make_shared<Marks>(); ///< one for each step, or more
  Numbers numbers_;
  GraphedCall call_;
};

} // namespace sdbench

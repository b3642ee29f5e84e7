#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sdbench/engine/pipeline/denoising_loop.h"

namespace sdbench {

/// A DenoisingLoop that is recorded as one graph after its first run and replayed by one launch in
/// those that follow with the same shapes and numbers. Marks within the graph tell when each step
/// was done.
class GraphedLoop {
public:
  explicit GraphedLoop(std::unique_ptr<GraphMaker> maker) : call_(std::move(maker), kWarmUps) {}

  /// As `loop` has them; computed step by step where nothing is recorded for it yet, and where
  /// `observer` wants to see tensors of steps.
  [[nodiscard]] at::Tensor operator()(const DenoisingLoop& loop, const DenoisingInputs& inputs,
                                      PipelineObserver& observer);

  /// GraphedCall's, of the latest run.
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
  /// The loop as a call of tensors, which sets marks of its own.
  [[nodiscard]] GraphedCall::Work work(const DenoisingLoop& loop, const DenoisingInputs& form);

  /// One loop is many calls of the UNet, and those of the first run came before it.
  static constexpr std::int64_t kWarmUps = 1;

  // In this order: a graph goes before the marks within it.
  std::shared_ptr<Marks> marks_ = std::make_shared<Marks>(); ///< one for each step, or more
  Numbers numbers_;
  GraphedCall call_;
};

} // namespace sdbench

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sdbench/engine/pipeline/denoising_loop.h"

namespace sdbench {

/// Records a whole DenoisingLoop as one graph after its first run. Later runs with the same shapes,
/// guidance, sampler and sigmas replay the graph with one launch. Marks within the graph tell when
/// each step was done.
class GraphedLoop {
public:
  explicit GraphedLoop(std::unique_ptr<GraphMaker> maker) : call_(std::move(maker), kWarmUps) {}

  /// Runs `loop` on `inputs` and returns its latents. Computes step by step if nothing is recorded
  /// yet, or if `observer` wants the tensors of each step.
  [[nodiscard]] at::Tensor operator()(const DenoisingLoop& loop, const DenoisingInputs& inputs,
                                      PipelineObserver& observer);

  /// GraphedCall::why_not_recorded() for the latest run.
  [[nodiscard]] std::string why_not_recorded() const { return call_.why_not_recorded(); }
  /// GraphedCall::why_not_uploaded() for the recording.
  [[nodiscard]] const std::string& why_not_uploaded() const { return call_.why_not_uploaded(); }

private:
  /// The values that a recording contains as constants.
  struct Numbers {
    double guidance = 0;
    std::string sampler;
    std::vector<float> sigmas;
    friend bool operator==(const Numbers&, const Numbers&) = default;
  };
  using Marks = std::vector<std::shared_ptr<DeviceMark>>;
  /// The loop as a function of its input tensors. It sets the marks in marks_.
  [[nodiscard]] GraphedCall::Work work(const DenoisingLoop& loop, const DenoisingInputs& form);

  /// One run is enough to warm up, because it calls the UNet many times.
  static constexpr std::int64_t kWarmUps = 1;

  // Declared in this order, because a graph must be destroyed before its marks.
  std::shared_ptr<Marks> marks_ = std::make_shared<Marks>(); ///< at least one for each step
  Numbers numbers_;
  GraphedCall call_;
};

} // namespace sdbench

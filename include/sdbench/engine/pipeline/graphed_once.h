#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sdbench/engine/pipeline/graphed_call.h"

namespace sdbench {

/// Records as a graph what each run computes once, such as the states of its texts. The first run
/// computes it directly. At the end of that run it is recorded, and later runs with inputs of the
/// same shapes replay it.
template <class Result>
class GraphedOnce {
public:
  /// `inputs` are the only changing values that it may read. For inputs of the same shapes, it must
  /// launch the same kernels.
  using Work = std::function<Result(const GraphedCall::Tensors& inputs)>;
  using Numbers = std::vector<double>;

  explicit GraphedOnce(std::unique_ptr<GraphMaker> maker) : call_(std::move(maker), kWarmUps) {}

  /// Returns work(inputs). Once it is recorded, the result's tensors are always the same, and the
  /// next call overwrites them. `numbers`: the values that a recording contains as constants. If
  /// they change, the recording is dropped.
  [[nodiscard]] Result operator()(const Numbers& numbers, const GraphedCall::Tensors& inputs,
                                  const Work& work) {
    if (numbers != numbers_) {
      call_.forget();
      numbers_ = numbers;
    }
    latest_ = [work, result = result_](const GraphedCall::Tensors&,
                                       const GraphedCall::Tensors& changing) {
      *result = work(changing);
      return at::Tensor();
    };
    static_cast<void>(call_({}, inputs, latest_));
    return *result_;
  }

  /// Ends a run, outside of any timed stage. Records the work of the latest call, unless that is
  /// already done or impossible. What was computed directly is released.
  void end_run() {
    if (!latest_) {
      return; // the run did not come to this work
    }
    release_unless_recorded();
    call_.end_run(latest_);
    release_unless_recorded(); // tensors of a recording that failed
    latest_ = nullptr;
  }

  /// GraphedCall::why_not_recorded() for the latest run.
  [[nodiscard]] std::string why_not_recorded() const { return call_.why_not_recorded(); }
  /// GraphedCall::why_not_uploaded() for the recording.
  [[nodiscard]] const std::string& why_not_uploaded() const { return call_.why_not_uploaded(); }

private:
  /// One is enough, because in the first run the libraries choose their algorithms.
  static constexpr std::int64_t kWarmUps = 1;

  void release_unless_recorded() {
    if (!call_.why_not_recorded().empty()) {
      *result_ = Result();
    }
  }

  std::shared_ptr<Result> result_ = std::make_shared<Result>(); ///< of the latest work or replay
  Numbers numbers_;
  GraphedCall call_;
  GraphedCall::Work latest_;
};

} // namespace sdbench

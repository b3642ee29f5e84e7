#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "sdbench/engine/pipeline/cuda_graph.h"

namespace sdbench {

/// Calls a function of tensors many times with the same shapes. The first calls are computed
/// directly. Then a call is recorded as a graph, and later calls replay the graph. A graph uses
/// fixed addresses. So inputs are copied to the graph's own tensors, and the result is always the
/// same tensor, which the next call overwrites.
class GraphedCall {
public:
  using Tensors = std::vector<at::Tensor>;
  /// The function that is called. It must read no changing values except its inputs. For inputs of
  /// the same shapes, it must launch the same kernels.
  using Work = std::function<at::Tensor(const Tensors& kept, const Tensors& changing)>;

  /// Default number of calls that are computed before one is recorded. In these calls the libraries
  /// choose their algorithms and allocate their workspaces.
  static constexpr std::int64_t kWarmUps = 3;

  explicit GraphedCall(std::unique_ptr<GraphMaker> maker, std::int64_t warm_ups = kWarmUps)
      : maker_(std::move(maker)), wanted_warm_ups_(warm_ups) {}

  /// Copies `changing` in each call, but `kept` only if it has other tensors than in the previous
  /// call. If shapes or dtypes change, drops the recording and starts again with warm-ups. If
  /// recording is impossible, computes directly.
  [[nodiscard]] at::Tensor operator()(const Tensors& kept, const Tensors& changing,
                                      const Work& work);
  /// Begins a run of calls: its `kept` tensors are copied, even if they are the tensors, with other
  /// values, of a run that was cut short.
  void begin_run() { seen_.clear(); }
  /// Ends a run of calls, and releases its `kept` tensors. If the run was too short for a
  /// recording, records a call now, so that later runs are replayed from their first call on.
  void end_run(const Work& work);
  /// Drops the recording and its memory if it was made for inputs of other shapes or dtypes.
  void expect(const Tensors& kept, const Tensors& changing);
  /// Records a call with inputs of these shapes and dtypes, unless that is already done or
  /// impossible. Discards the call's result. The next call with such inputs is replayed.
  void prepare(const Tensors& kept, const Tensors& changing, const Work& work);
  /// Drops the recording. The graph may hold values as constants: call forget() if one changes.
  void forget() { begin_anew({}); }

  /// True if a call with inputs of these shapes and dtypes would be replayed.
  [[nodiscard]] bool replays(const Tensors& kept, const Tensors& changing) const;
  /// After a run has ended: why there is no recording for the latest shapes, in one line. Empty if
  /// there is a recording.
  [[nodiscard]] std::string why_not_recorded() const;
  /// One line that says why the recording was not uploaded when it was made, so that its first
  /// replay uploads it. Empty if it was uploaded, and if there is no recording.
  [[nodiscard]] const std::string& why_not_uploaded() const { return upload_obstacle_; }

private:
  /// Shape and dtype of one input. A recording fits only inputs of the kinds that were recorded.
  struct Kind {
    std::vector<std::int64_t> sizes;
    at::ScalarType dtype;
    friend bool operator==(const Kind&, const Kind&) = default;
  };
  [[nodiscard]] static std::vector<Kind> kinds_of(const Tensors& kept, const Tensors& changing);
  void begin_anew(std::vector<Kind> kinds);
  void put_in_place(const Tensors& kept, const Tensors& changing);
  void warm_up(const Work& work);
  void record(const Work& work);
  void give_up(const std::exception& error);

  std::unique_ptr<GraphMaker> maker_;
  std::int64_t wanted_warm_ups_;
  std::vector<Kind> kinds_;
  Tensors kept_; ///< kept_ and changing_: the graph's own inputs; empty before the first call
  Tensors changing_;
  Tensors seen_; ///< the caller's tensors that were copied to kept_
  at::Tensor output_;
  std::int64_t warm_ups_ = 0;
  std::unique_ptr<WorkGraph> graph_;
  std::string obstacle_;
  std::string upload_obstacle_;
};

} // namespace sdbench

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "sdbench/engine/pipeline/work_graph.h"

namespace sdbench {

/// A function of tensors that is called many times with the same shapes. Its first calls are
/// computed directly, then one is recorded, and later ones are replayed. A recording uses fixed
/// addresses, so inputs are copied to places of its own, and the result is one tensor that the next
/// call overwrites.
class GraphedCall {
public:
  using Tensors = std::vector<at::Tensor>;
  /// Must read no other changing values, and do the same work for inputs of the same shapes.
  using Work = std::function<at::Tensor(const Tensors& kept, const Tensors& changing)>;

  /// Calls computed before one is recorded, unless the user of this class asks for another number:
  /// in these calls the libraries choose their algorithms and allocate their workspaces.
  static constexpr std::int64_t kWarmUps = 3;

  explicit GraphedCall(std::unique_ptr<GraphMaker> maker, std::int64_t warm_ups = kWarmUps)
      : maker_(std::move(maker)), wanted_warm_ups_(warm_ups) {}

  /// `kept` is copied if it has other tensors than in the previous call, `changing` always. Other
  /// shapes or dtypes start anew. If recording is impossible, computes directly.
  [[nodiscard]] at::Tensor operator()(const Tensors& kept, const Tensors& changing,
                                      const Work& work);
  /// Ends a run of calls, and releases its `kept`. If the run was too short for a recording,
  /// records now, so that later runs are replayed from their first call on.
  void end_run(const Work& work);
  /// Drops recordings for other kinds of inputs, with their memory.
  void expect(const Tensors& kept, const Tensors& changing);
  /// Records a call with such inputs, unless that is already done or impossible. The result is
  /// discarded; the next such call is replayed.
  void prepare(const Tensors& kept, const Tensors& changing, const Work& work);
  /// Invalidates recordings, because the work reads other values than before.
  void forget() { begin_anew({}); }

  /// True if a call with such inputs would be replayed.
  [[nodiscard]] bool replays(const Tensors& kept, const Tensors& changing) const;
  /// Why the finished run has left no recording of the latest shapes, in one line; empty if it has.
  [[nodiscard]] std::string why_not_recorded() const;

private:
  /// Everything that determines if a recording fits other inputs.
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
  Tensors kept_; ///< places for the inputs, like `changing_`; empty before the first call
  Tensors changing_;
  Tensors seen_; ///< the tensors whose values are in kept_
  at::Tensor output_;
  std::int64_t warm_ups_ = 0;
  std::unique_ptr<WorkGraph> graph_;
  std::string obstacle_;
};

} // namespace sdbench

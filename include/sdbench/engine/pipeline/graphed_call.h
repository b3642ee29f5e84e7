#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "sdbench/engine/pipeline/work_graph.h"

namespace sdbench {

/// A function of tensors that is called again and again with tensors of the same shapes: computed
/// as it is for some calls, then recorded, then replayed. A recording reads and writes fixed
/// addresses, so inputs are copied to places of its own, and the result is one tensor that the next
/// call overwrites.
class GraphedCall {
public:
  using Tensors = std::vector<at::Tensor>;
  /// Reads nothing else that changes, and does the same for inputs of the same shapes.
  using Work = std::function<at::Tensor(const Tensors& kept, const Tensors& changing)>;

  /// Calls that are computed before one is recorded, unless others have a reason: the libraries
  /// choose their algorithms and take their workspaces in them.
  static constexpr std::int64_t kWarmUps = 3;

  explicit GraphedCall(std::unique_ptr<GraphMaker> maker, std::int64_t warm_ups = kWarmUps)
      : maker_(std::move(maker)), wanted_warm_ups_(warm_ups) {}

  /// `kept`: copied where they are other tensors than those of the call before; `changing`: always.
  /// Other shapes or dtypes than before begin anew. What cannot be recorded is computed as it is.
  [[nodiscard]] at::Tensor operator()(const Tensors& kept, const Tensors& changing,
                                      const Work& work);
  /// A run of calls is over, and its `kept` are let go. If it was too short to be recorded, that is
  /// made up for here, so that later runs are replayed from their first call on.
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
  /// Why a run that is over has left no recording of the latest shapes, in one line; empty if it
  /// has.
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
  Tensors kept_; ///< the places, as `changing_`; empty before the first call
  Tensors changing_;
  Tensors seen_; ///< whose values are in kept_
  at::Tensor output_;
  std::int64_t warm_ups_ = 0;
  std::unique_ptr<WorkGraph> graph_;
  std::string obstacle_;
};

} // namespace sdbench

#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "sdbench/base/config/run_options.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/system/steady_clock.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// Probes the devices of a sweep behind its cells: never before a cell, whose first image must find
/// the device as it is. A device that changes during a sweep changes its probes and its cells
/// alike; software that changes leaves its probes as they were.
class SweepProbes {
public:
  /// `now_s`: a steady clock in seconds; tests give their own.
  explicit SweepProbes(ProbeUse use, std::function<double()> now_s = steady_seconds);

  /// Call this after a cell that ran alone, before its row is written. Probes the cell's device if
  /// that is due, and fills the row's fields of probes. Sets the flag machine_changed if the device
  /// is surely slower or faster than at its best probe so far: by over 3 %, and by more than both
  /// probes scatter. Leaves alone rows of failed cells, of other projects' engines, whose worker
  /// may hold the device's memory, and of devices that libtorch cannot probe. A device whose probe
  /// fails is a note to `observer`, and is not probed again. `is_last`: no cell on this device
  /// follows.
  void after_cell(const Cell& cell, bool is_last, Executor& executor, ExecutorObserver& observer,
                  RunRecord& record);

private:
  /// Several measurements of one figure, one right after the other. The most counts as the rate,
  /// because other programs can only make a call slower; the two ends tell how sure it is.
  struct Range {
    double least = 0;
    double most = 0;
  };
  struct Rates {
    std::optional<Range> product_tflops;
    std::optional<Range> copy_gb_s;
    std::optional<Range> h2d_gb_s;
  };
  struct Probed {
    Rates reference; ///< the first probe, or a later one that was surely faster
    Rates latest;
    std::optional<double> drift_percent;
    bool has_changed = false; ///< surely
    double at_s = 0;          ///< when the latest probe ended
  };

  [[nodiscard]] bool is_due(const Probed* before, bool on_gpu, bool is_last) const;
  /// Nothing if the probe fails.
  [[nodiscard]] std::optional<Rates> measure(const Cell& cell, const std::string& format,
                                             bool on_gpu, Executor& executor,
                                             ExecutorObserver& observer);
  void learn(Probed& probed, const Rates& rates) const;
  static void fill(const Probed& probed, const std::string& format, ExecutorObserver& observer,
                   RunRecord& record);
  [[nodiscard]] static std::optional<double> change(const std::optional<Range>& before,
                                                    const std::optional<Range>& latest);
  [[nodiscard]] static bool is_sure(const std::optional<Range>& before,
                                    const std::optional<Range>& latest);

  ProbeUse use_;
  std::function<double()> now_s_;
  double begin_s_;
  std::map<std::string, Probed> probed_; ///< by device and format
  std::set<std::string> failed_;         ///< devices
};

} // namespace sdbench

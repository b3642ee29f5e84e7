#pragma once

#include <functional>
#include <map>
#include <optional>
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
  /// that is due, and fills the row's fields of probes. Their drift is the one from the sweep's
  /// first probe of the same figures on this device. A row that makes no true figure is left alone.
  /// A probe that fails is a note to `observer`. `is_last`: no cell on this device follows.
  void after_cell(const Cell& cell, bool is_last, Executor& executor, ExecutorObserver& observer,
                  RunRecord& record);

private:
  struct Rates {
    std::optional<double> product_tflops;
    std::optional<double> copy_gb_s;
    std::optional<double> h2d_gb_s;
  };
  struct Probed {
    Rates first;
    Rates latest;
    double at_s = 0; ///< when the latest probe ended
  };

  /// Returns nullptr if the probe fails.
  Probed* probe(const Cell& cell, const std::string& product, bool on_gpu, Executor& executor,
                ExecutorObserver& observer);
  [[nodiscard]] bool is_due(const Probed* before, bool on_gpu, bool is_last) const;

  ProbeUse use_;
  std::function<double()> now_s_;
  double begin_s_;
  std::map<std::string, Probed> probed_; ///< by device and figure of the product
};

} // namespace sdbench

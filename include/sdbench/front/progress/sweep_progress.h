#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <spdlog/logger.h>

#include "sdbench/front/bench/sweep_runner.h"
#include "sdbench/front/progress/parallel_progress.h"
#include "sdbench/front/progress/progress.h"
#include "sdbench/front/sink/sink_set.h"

namespace sdbench {

/// Shows the progress of a sweep, and passes each row to the sinks, which keep it. A single cell is
/// shown in full. If there are several, each gets one line when it ends, and texts that would
/// repeat (the device, a warning) are printed once.
class SweepProgress final : public SweepObserver {
public:
  /// `steps`: number of steps of the sweep; nullopt if it is not known in advance. `err` gets the
  /// running cell's bar if `terminal` is live. `apart`: for each step, words that distinguish it
  /// from steps with the same cell description; empty if the description suffices.
  SweepProgress(std::optional<std::size_t> steps, SinkSet& sinks,
                std::shared_ptr<spdlog::logger> logger, std::ostream& err, LiveTerminal terminal,
                std::vector<std::string> apart = {});

  ExecutorObserver& on_cell(const Cell& cell) override;
  std::vector<ExecutorObserver*> on_parallel_cell(const Cell& whole) override;
  void on_record(const RunRecord& record) override;
  void on_resumed(const Cell& cell, Status earlier) override;
  void on_cooldown(double seconds) override;
  void on_quiet_wait(const std::string& text) override;

  [[nodiscard]] std::span<const RunRecord> rows() const override { return sinks_.records(); }

  /// True unless there is exactly one step.
  [[nodiscard]] bool is_sweep() const { return steps_ != 1; }

private:
  /// Which step is running: "[ 3/24]", or "[3]" if the total is unknown.
  [[nodiscard]] std::string place() const;
  /// Describes the present step: the words for its cell, then its entry of `apart`.
  [[nodiscard]] std::string words_of(const RunRecord& record) const;

  std::optional<std::size_t> steps_;
  SinkSet& sinks_;
  std::shared_ptr<spdlog::logger> logger_;
  std::ostream& err_;
  LiveTerminal terminal_;
  std::vector<std::string> apart_; ///< words that distinguish each step
  std::size_t step_ = 1;           ///< number of the running step, counted from 1
  std::optional<Progress> cell_;
  std::optional<ParallelProgress> parallel_cell_;
  std::set<std::string> said_;
};

} // namespace sdbench

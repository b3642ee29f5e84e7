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

/// Follows a sweep: a person sees how it goes, rows go to the sinks as they come, which keep them.
/// A single cell is told in full; of several each gets a line when it ends, and what would be said
/// again (the device, a warning) is said once.
class SweepProgress final : public SweepObserver {
public:
  /// `steps`: of the whole sweep; nothing if only its end will tell. `err` gets the running cell's
  /// bar if `terminal` is live. `apart`: what tells each step from others beside a cell's usual
  /// words; empty where they do.
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

  /// More than one cell.
  [[nodiscard]] bool is_sweep() const { return steps_ != 1; }

private:
  /// "[ 3/24]", or "[3]"
  [[nodiscard]] std::string place() const;
  /// The present step's words.
  [[nodiscard]] std::string words_of(const RunRecord& record) const;

  std::optional<std::size_t> steps_;
  SinkSet& sinks_;
  std::shared_ptr<spdlog::logger> logger_;
  std::ostream& err_;
  LiveTerminal terminal_;
  std::vector<std::string> apart_; ///< of each step
  std::size_t step_ = 1;           ///< the present one
  std::optional<Progress> cell_;
  std::optional<ParallelProgress> parallel_cell_;
  std::set<std::string> said_;
};

} // namespace sdbench

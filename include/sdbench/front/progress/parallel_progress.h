#pragma once

#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include <spdlog/logger.h>

#include "sdbench/base/executor/executor.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/front/progress/progress_bar.h"
#include "sdbench/front/progress/run_titles.h"

namespace sdbench {

/// Shows the progress of a parallel execution: lines that each name a device, and one bar for the
/// steps of all devices. The devices' observers must be called one at a time.
class ParallelProgress {
public:
  /// `prefix`: text before the bar, "[3/24] ". `said`: texts that were already printed and are not
  /// repeated. `err` gets the bar if `terminal` is live.
  ParallelProgress(const Cell& whole, std::shared_ptr<spdlog::logger> logger, std::ostream& err,
                   LiveTerminal terminal, std::string prefix, std::set<std::string>& said);
  ~ParallelProgress();

  /// One observer for each device.
  [[nodiscard]] std::vector<ExecutorObserver*> observers() const;

private:
  class Part;
  /// The progress of one device.
  struct Place {
    std::string device;
    CellStage stage = CellStage::kStart;
    std::int64_t run = 0;
    std::int64_t done = 0;  ///< finished steps of the present run
    std::int64_t steps = 0; ///< all steps of the present run; 0: not known yet
    double seconds = 0;     ///< approximate time of the steps done
  };
  void show();
  /// The title of the present run, "timed run 2/3", if all devices are in the same run.
  [[nodiscard]] std::string common_title() const;
  /// What each device does: "cpu:0 first image, cpu:1 load ...".
  [[nodiscard]] std::string places_text() const;

  std::shared_ptr<spdlog::logger> logger_;
  LiveLine line_;
  std::string prefix_;
  std::set<std::string>& said_;
  RunTitles titles_;
  std::vector<Place> places_;
  std::vector<std::unique_ptr<Part>> parts_;
};

} // namespace sdbench

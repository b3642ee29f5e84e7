#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>

#include <spdlog/logger.h>

#include "sdbench/base/executor/executor.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/front/progress/progress_bar.h"
#include "sdbench/front/progress/run_titles.h"

namespace sdbench {

/// Shows the progress of a cell: a head (device, model, weights, dtype, attention, expected time),
/// notes, and a live bar of finished steps, which the destructor wipes.
class Progress : public ExecutorObserver {
public:
  /// Selects a short display for one cell of many: no head, no expected time, no text repeated.
  struct Brief {
    std::string prefix;          ///< text before the bar: "[3/24] "
    std::set<std::string>& said; ///< texts printed by all cells so far
  };

  /// `err` gets the bar if `terminal` is live; everything else goes through `logger`.
  Progress(const Cell& cell, std::shared_ptr<spdlog::logger> logger, std::ostream& err,
           LiveTerminal terminal, std::optional<Brief> brief = std::nullopt);

  void on_event(const CellEvent& event) override;

private:
  template <typename Event>
  void hear(const Event& /*of no interest*/) {}
  void hear(const StageEvent& event);
  void hear(const DeviceEvent& event);
  void hear(const LoadedEvent& event);
  void hear(const StepEvent& event);
  void hear(const NoteEvent& event);
  void hear(const DoingEvent& event);
  void hear(const WorkerWordsEvent& event);
  void say_work();
  /// True if the text is to be printed. With Brief, each text is printed only once.
  [[nodiscard]] bool is_new(const std::string& text);
  void say_expected_time(double step_seconds);
  [[nodiscard]] std::int64_t steps_per_run() const;

  const Cell& cell_;
  RunTitles titles_;
  std::shared_ptr<spdlog::logger> logger_;
  LiveLine line_;
  std::optional<Brief> brief_;
  CellStage stage_ = CellStage::kStart;
  std::string doing_;            ///< text of the latest DoingEvent in this stage
  std::int64_t run_ = -1;        ///< index of the run in the present stage
  std::int64_t steps_heard_ = 0; ///< StepEvents in this run; the worker omits some quick steps
  double heard_seconds_ = 0;     ///< total time of the steps in steps_heard_
  bool expectation_said_ = false;
};

} // namespace sdbench

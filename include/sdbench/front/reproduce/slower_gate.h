#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/base/device/device_info.h"
#include "sdbench/front/bench/sweep.h"
#include "sdbench/front/bench/worker_process.h"
#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/compare/slower_check.h"
#include "sdbench/front/record/build_record.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/results/result_table.h"
#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// Implements --fail-if-slower: compares rows with their baseline by several metrics.
class SlowerGate {
public:
  /// Takes one comparison per metric. `metrics_given`: the user named the metrics, so each of them
  /// must have something to compare. Throws UsageError or Error if there is nothing to compare.
  SlowerGate(std::vector<Comparison> comparisons, const ResultTable& table, double limit,
             bool metrics_given, const Streams& streams);

  /// Implements --confirm: repeats the cells that were slower or failed, as a new sweep whose
  /// rows are saved as usual. A finding that does not repeat causes no failure. `timeout_s`:
  /// seconds without output after which a worker is ended (records do not contain this setting);
  /// nullopt: the default of `sdbench run`. Throws UsageError if there are cells to repeat, but
  /// none of them can run here. Returns an exit code if the user interrupts it, else nullopt.
  [[nodiscard]] std::optional<int> confirm(const ExecutorFactory& make_executor,
                                           std::optional<double> timeout_s);

  /// Prints a line for each finding and returns the exit code.
  [[nodiscard]] int verdict() const;

private:
  struct Judged {
    Comparison comparison;
    SlowerCheck check;
  };
  /// Cells to run again, and for other cells the reasons why they cannot run here.
  struct Confirmed {
    std::map<std::size_t, RunRecord> records; ///< key: index of the row in the table
    std::map<std::size_t, std::string> obstacles;
    std::vector<SweepCell> cells; ///< each cell once
  };
  /// A finding that did not repeat when its cell ran again.
  struct NotFoundAgain {
    std::string failure;              ///< description of the failure; empty: no failure
    std::vector<std::string> metrics; ///< metrics by which the cell had been slower
  };
  [[nodiscard]] Confirmed cells_to_confirm(const std::vector<DeviceInfo>& devices,
                                           const RecordContext& context) const;
  /// The reasons ("suspended") why a column's baseline rows give no figure for comparison with its
  /// other rows. Empty if there is no such column.
  [[nodiscard]] std::string why_baseline_has_none() const;
  void say_missing() const;
  void say_one_start() const;
  void say_gone() const;
  [[nodiscard]] static std::string words_of(const Judged& judged, const SlowerPlace& place);
  /// Judges `place` (see SlowerPlace) again, from the rows that ran again. `list`: the list of
  /// SlowerCheck that contained it.
  void judge_again(Judged& judged, SlowerPlace place, std::vector<SlowerPlace> SlowerCheck::*list,
                   const Confirmed& confirmed, const std::vector<RunRecord>& rows);

  std::vector<Judged> judged_;
  const ResultTable& table_;
  double limit_;
  bool metrics_given_;
  const Streams& streams_;
  std::map<std::string, NotFoundAgain> gone_; ///< findings that did not repeat; key: description
  bool all_saved_ = true;                     ///< whether all rows of confirm() were saved
};

} // namespace sdbench

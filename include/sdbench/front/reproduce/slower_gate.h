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

  /// Implements --confirm: runs slower and failed cells again as a new session, whose rows are
  /// saved as usual. A finding that does not repeat causes no failure. `timeout_s`: timeout of a
  /// worker without output, in seconds, which a record does not contain; nullopt: the default of
  /// `sdbench run`. Throws UsageError if there are slower or failed cells, but none of them can run
  /// here. Returns an exit code if the user interrupts it, else nullopt.
  [[nodiscard]] std::optional<int> confirm(const ExecutorFactory& make_executor,
                                           std::optional<double> timeout_s);

  /// Prints a line for each finding and returns the exit code.
  [[nodiscard]] int verdict() const;

private:
  struct Judged {
    Comparison comparison;
    SlowerCheck check;
  };
  /// Cells to run again, and the reasons why others cannot.
  struct Confirmed {
    std::map<std::size_t, RunRecord> records; ///< records by row of the table
    std::map<std::size_t, std::string> obstacles;
    std::vector<SweepCell> cells; ///< each cell once
  };
  /// A finding about a cell that did not repeat.
  struct NotFoundAgain {
    std::string failure;              ///< description of the failure; may be empty
    std::vector<std::string> metrics; ///< metrics by which it was slower
  };
  [[nodiscard]] Confirmed cells_to_confirm(const std::vector<DeviceInfo>& devices,
                                           const RecordContext& context) const;
  /// Says why the baseline lacks a figure in columns in which there are rows to compare:
  /// "suspended". Empty if the baseline has figures or no rows there.
  [[nodiscard]] std::string why_baseline_has_none() const;
  void say_missing() const;
  void say_one_start() const;
  void say_gone() const;
  [[nodiscard]] static std::string words_of(const Judged& judged, const SlowerPlace& place);
  /// Judges one place anew, from the rows that ran again. `list`: the list of the check that holds
  /// it.
  void judge_again(Judged& judged, SlowerPlace place, std::vector<SlowerPlace> SlowerCheck::*list,
                   const Confirmed& confirmed, const std::vector<RunRecord>& rows);

  std::vector<Judged> judged_;
  const ResultTable& table_;
  double limit_;
  bool metrics_given_;
  const Streams& streams_;
  std::map<std::string, NotFoundAgain> gone_; ///< findings that did not repeat, by description
  bool all_saved_ = true;                     ///< whether all rows of confirm() were saved
};

} // namespace sdbench

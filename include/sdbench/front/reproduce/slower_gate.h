#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/base/device/device_info.h"
#include "sdbench/front/bench/executor_factory.h"
#include "sdbench/front/bench/sweep.h"
#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/compare/slower_check.h"
#include "sdbench/front/record/build_record.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/results/result_table.h"
#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// --fail-if-slower: judges rows against their baseline by several metrics.
class SlowerGate {
public:
  /// One comparison for each judged metric. `metrics_given`: the user named the metrics, so each
  /// must have something to judge. Throws UsageError or Error if there is nothing to judge.
  SlowerGate(std::vector<Comparison> comparisons, const ResultTable& table, double limit,
             bool metrics_given, const Streams& streams);

  /// --confirm: runs slower and failed cells again as a new session, whose rows are saved as usual.
  /// A finding that does not repeat fails nothing. `timeout_s`: longest silence of the worker,
  /// which a record does not hold; nothing: the default of run. Throws UsageError if something is
  /// slower or failed and no such cell can run here. Returns an exit code if it was interrupted.
  [[nodiscard]] std::optional<int> confirm(const ExecutorFactory& make_executor,
                                           std::optional<double> timeout_s);

  /// Prints a line for each finding and returns the exit code.
  [[nodiscard]] int verdict() const;

private:
  struct Judged {
    Comparison comparison;
    SlowerCheck check;
  };
  /// The cells that run again, and those that cannot.
  struct Confirmed {
    std::map<std::size_t, RunRecord> records; ///< by row of the table
    std::map<std::size_t, std::string> obstacles;
    std::vector<SweepCell> cells; ///< each once
  };
  /// The first verdict on a cell that did not repeat.
  struct NotFoundAgain {
    std::string failure;              ///< in words; may be empty
    std::vector<std::string> metrics; ///< by which it was slower
  };
  [[nodiscard]] Confirmed cells_to_confirm(const std::vector<DeviceInfo>& devices,
                                           const RecordContext& context) const;
  /// Why the baseline has no figure in columns in which others have rows: "suspended". Empty if it
  /// has figures or no rows.
  [[nodiscard]] std::string why_baseline_has_none() const;
  void say_missing() const;
  void say_one_start() const;
  void say_gone() const;
  [[nodiscard]] static std::string words_of(const Judged& judged, const SlowerPlace& place);
  /// Judges a place of one of the check's lists by the rows that ran again.
  void judge_again(Judged& judged, SlowerPlace place, std::vector<SlowerPlace> SlowerCheck::*list,
                   const Confirmed& confirmed, const std::vector<RunRecord>& rows);

  std::vector<Judged> judged_;
  const ResultTable& table_;
  double limit_;
  bool metrics_given_;
  const Streams& streams_;
  std::map<std::string, NotFoundAgain> gone_; ///< by cell, in words
  bool all_saved_ = true;                     ///< the rows of confirm()
};

} // namespace sdbench

#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/base/device/device_info.h"
#include "sdbench/base/plan/sweep.h"
#include "sdbench/base/record/build_record.h"
#include "sdbench/base/record/run_record.h"
#include "sdbench/front/cli/run_command.h"
#include "sdbench/front/cli/streams.h"
#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/compare/slower_check.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// --fail-if-slower: what several metrics say of rows beside their baseline.
class SlowerGate {
public:
  /// A comparison for each metric that is judged. `metrics_given`: by the user, so that each must
  /// have something to judge. Throws UsageError or Error where there is nothing to judge.
  SlowerGate(std::vector<Comparison> comparisons, const ResultTable& table, double limit,
             bool metrics_given, const Streams& streams);

  /// --confirm: what is slower or failed runs again, as a session of its own, whose rows are saved
  /// as those of every run. What they do not show again fails nothing. A record does not say how
  /// long its worker might be silent: `timeout_s` does; nothing: as long as run lets it by itself.
  /// Throws UsageError where something is slower or failed and none of it can run here. Returns an
  /// exit code where it was interrupted.
  [[nodiscard]] std::optional<int> confirm(const ExecutorFactory& make_executor,
                                           std::optional<double> timeout_s);

  /// Says what there is, a line each, and returns the exit code.
  [[nodiscard]] int verdict() const;

private:
  struct Judged {
    Comparison comparison;
    SlowerCheck check;
  };
  /// What runs again, and what cannot.
  struct Confirmed {
    std::map<std::size_t, RunRecord> records; ///< by row of the table
    std::map<std::size_t, std::string> obstacles;
    std::vector<SweepCell> cells; ///< each once
  };
  /// What a cell was until it ran again.
  struct NotFoundAgain {
    std::string failure;              ///< in words; may be empty
    std::vector<std::string> metrics; ///< by which it was slower
  };
  [[nodiscard]] Confirmed cells_to_confirm(const std::vector<DeviceInfo>& devices,
                                           const RecordContext& context) const;
  /// Of columns where others have rows: "suspended". Empty: the baseline has figures, or no rows.
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

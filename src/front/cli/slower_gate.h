#pragma once

#include <optional>
#include <string>
#include <vector>

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
  /// A comparison for each metric that is judged. Throws UsageError or Error where there is nothing
  /// to judge.
  SlowerGate(std::vector<Comparison> comparisons, const ResultTable& table, double limit,
             const Streams& streams);

  /// --confirm: what is slower runs again, as a session of its own, whose rows are saved as those
  /// of every run. What they do not show again is not slower. Throws UsageError where none of the
  /// cells can run here. Returns an exit code where it was interrupted.
  [[nodiscard]] std::optional<int> confirm(const ExecutorFactory& make_executor);

  /// Says what there is, a line each, and returns the exit code.
  [[nodiscard]] int verdict() const;

private:
  struct Judged {
    Comparison comparison;
    SlowerCheck check;
  };
  [[nodiscard]] const Pool& pool_of(const Judged& judged, const SlowerPlace& place) const {
    return judged.comparison.pools[place.pool];
  }
  void say_missing() const;
  void say_one_start() const;
  /// By the rows that ran again; a place that is slower still goes to `still`.
  void judge_again_by(Judged& judged, SlowerPlace place, const RunRecord& record,
                      const std::vector<RunRecord>& rows, std::vector<SlowerPlace>& still);

  std::vector<Judged> judged_;
  const ResultTable& table_;
  double limit_;
  const Streams& streams_;
  std::vector<std::string> unconfirmed_; ///< in words
};

} // namespace sdbench

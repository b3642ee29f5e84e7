#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/record/run_record.h"
#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/compare/metric.h"

namespace sdbench {

/// A place that has a counterpart of the baseline, in words.
struct SlowerPlace {
  std::size_t pool = 0; ///< of the Comparison
  std::size_t row = 0;  ///< of the ResultTable: the first that it stands on
  std::string words; ///< "sd15 512x512, 50 steps, batch 1: vae_s: B is 0.9 times as fast as A …"
};

/// What --fail-if-slower found by one metric. A place is in one list, but one that is broken may be
/// slower, too: by the rows that did not fail.
struct SlowerCheck {
  std::size_t compared = 0; ///< places that have a baseline with the same settings
  std::vector<SlowerPlace> slower;
  std::vector<SlowerPlace> broken;    ///< failed where the baseline did not, or wholly
  std::vector<SlowerPlace> one_start; ///< a side's interval is of one start: nothing is decided
  /// A gap of the limit that the intervals do not prove, or rows that have no true figure, or none
  /// at all, where the baseline has one.
  std::vector<SlowerPlace> uncertain;
  std::vector<SlowerPlace> missing; ///< of the baseline: nothing was compared with it
};

/// Against the baseline's place with the same settings. Slower as verdict_of says it with `limit`
/// for the threshold (0.05: takes 5 % longer), and only where both sides have several starts: one
/// start may be slow as a whole. What was not run is missing. Of memory the device's
/// is judged; the host's only where a device has none of its own.
[[nodiscard]] SlowerCheck check_slower(const Comparison& comparison, const ResultTable& table,
                                       double limit);

/// "sd15 512x512, 50 steps, batch 1: RTX 3060 on desk"
[[nodiscard]] std::string place_words(const Comparison& comparison, const Pool& pool);

/// Whether an outcome (see outcome_of()) is a failure: not ok, interrupted or edited.
[[nodiscard]] bool is_true_failure(std::string_view outcome);

/// Whether an earlier row with this outcome excuses one failure among later rows: it ran and
/// failed. A row that was skipped, interrupted or edited tells nothing of what a run there comes
/// to.
[[nodiscard]] bool excuses_failure(std::string_view outcome);

/// Why rows without a figure lack it: "interrupted", "suspended", "cut short", or "no vae_s".
/// `left_out`: none of them failed.
[[nodiscard]] std::string why_no_figure(const Metric& metric, const ResultTable& table,
                                        std::span<const std::size_t> failed,
                                        std::span<const std::size_t> left_out);

/// The host's memory beside a device's is no figure of its own.
[[nodiscard]] bool is_beside_a_device(const Metric& metric, const ResultTable& table,
                                      const Pool& pool);

/// What --confirm's rows say of a place that was slower or broken. It is in the check's lists as in
/// those of check_slower(), and in none where it is neither again.
struct CheckedAgain {
  SlowerCheck check;
  std::string stays;    ///< why the rows decide nothing, so that it stays what it was; else empty
  std::string failures; ///< "1 of 3 starts failed (crash)"; empty: none
};

/// `record`: the row that ran again; `rows`: all that ran, of which those with its cell_id count.
[[nodiscard]] CheckedAgain check_again(const Comparison& comparison, const ResultTable& table,
                                       const SlowerPlace& place, const RunRecord& record,
                                       std::span<const RunRecord> rows, double limit);

} // namespace sdbench

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// A place (pool) that --fail-if-slower reports, with the text that says why.
struct SlowerPlace {
  std::size_t pool = 0; ///< index in Comparison::pools
  std::size_t row = 0;  ///< first row in the ResultTable
  std::string words; ///< "sd15 512x512, 50 steps, batch 1: vae_s: B is 0.9 times as fast as A …"
};

/// What --fail-if-slower found for one metric. Each place is in at most one of the lists, except
/// that a broken place is also in `slower` if its rows that did not fail are slower.
struct SlowerCheck {
  std::size_t compared = 0; ///< number of places with a baseline of the same settings
  std::vector<SlowerPlace> slower;
  /// Places with a failed row. A place that has a figure is excused if its baseline also failed.
  std::vector<SlowerPlace> broken;
  std::vector<SlowerPlace> one_start; ///< undecided, because one side has only one start
  /// Undecided although the baseline has a figure: the gap reaches the limit but the intervals do
  /// not prove it, or no row of the place has a valid figure.
  std::vector<SlowerPlace> uncertain;
  std::vector<SlowerPlace> missing; ///< places of the baseline to which no other place corresponds
};

/// Compares each place with the baseline's place of the same settings. A place is slower if
/// verdict_of() says so with `limit` as the threshold (0.05: takes 5 % longer). Both sides need
/// several starts of the program, because a single start may be slow as a whole. The host's peak
/// memory is judged only if the device has no memory of its own.
[[nodiscard]] SlowerCheck check_slower(const Comparison& comparison, const ResultTable& table,
                                       double limit);

/// A place in words: "sd15 512x512, 50 steps, batch 1: RTX 3060 on desk".
[[nodiscard]] std::string place_words(const Comparison& comparison, const Pool& pool);

/// True if an outcome (see outcome_of()) is a failure: any status but ok and interrupted.
/// "contradicts itself" is not a failure.
[[nodiscard]] bool is_true_failure(std::string_view outcome);

/// True if a baseline row with this outcome excuses a later failure, because that row also ran and
/// failed. A row that was skipped or interrupted, or that contradicts itself, excuses nothing,
/// because it says nothing about a run.
[[nodiscard]] bool excuses_failure(std::string_view outcome);

/// Why the rows of a place have no figure: "interrupted", "suspended", "cut short", or "no vae_s".
/// `failed` and `left_out` hold rows as in Pool.
[[nodiscard]] std::string why_no_figure(const Metric& metric, const ResultTable& table,
                                        std::span<const std::size_t> failed,
                                        std::span<const std::size_t> left_out);

/// True if the metric is the host's memory and the device has memory of its own. The host's memory
/// is then not judged.
[[nodiscard]] bool is_beside_a_device(const Metric& metric, const ResultTable& table,
                                      const Pool& pool);

/// The result of --confirm for a place that was slower or broken. `check` lists the place as
/// check_slower() does, or not at all if the place is no longer slower or broken.
struct CheckedAgain {
  SlowerCheck check;
  std::string stays;    ///< why the earlier finding stays despite the new rows; else empty
  std::string failures; ///< "1 of 3 starts failed (crash)"; may be empty
};

/// `record`: the earlier row whose cell ran again. `rows`: all rows of the new run; only those with
/// the cell_id of `record` count.
[[nodiscard]] CheckedAgain check_again(const Comparison& comparison, const ResultTable& table,
                                       const SlowerPlace& place, const RunRecord& record,
                                       std::span<const RunRecord> rows, double limit);

} // namespace sdbench

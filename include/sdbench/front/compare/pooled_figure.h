#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "sdbench/front/record/confidence.h"

namespace sdbench {

/// One row's figure on the averaged scale (a rate as its time), above zero.
struct RowFigure {
  double mean = 0;
  std::optional<double> sd; ///< of its timed runs
  std::int64_t runs = 0;
  std::uint32_t session = 0; ///< a number for each call of sdbench; 0: the row does not say
  std::int64_t restart = 1;  ///< number of the start within the session; rounds share it
};

/// The spread from which an interval is made.
enum class IntervalBasis {
  kRunsOfOneRow,
  kRunsOfRows, ///< used if rows lie closer together than their runs explain, which is chance
  kRows,
  kSessions,
};

/// The pooled figure of the rows of one measurement. Every session (a call of sdbench, with its
/// restarts) counts once, by the mean of its rows, and every row once, by its mean. A row of a
/// hundred runs is still one start of the program, and a session of ten starts is one state of the
/// machine.
struct PooledFigure {
  double mean = 0; ///< of the sessions' means
  std::size_t rows = 0;
  std::size_t starts = 0;           ///< of the program; a row without a session counts as one
  std::size_t sessions = 0;         ///< 0: no row has a session
  std::int64_t runs = 0;            ///< of all rows
  std::optional<double> within_sd;  ///< of a run around its own row's mean, pooled over the rows
  std::optional<double> between_sd; ///< of the rows' means; from two rows on
  /// Of `mean`. Made from the spread of the runs, of the rows (n - 1; needs kRowsForBetweenRuns
  /// rows) or of the sessions (needs two), whichever gives the widest interval. Nothing if no
  /// spread is known.
  std::optional<double> standard_error;
  std::int64_t degrees_of_freedom = 0;
  IntervalBasis basis = IntervalBasis::kRunsOfOneRow; ///< of the standard error
  /// Half the interval's width, had only the runs' spread been used.
  std::optional<double> within_half_width;

  /// True if the standard error includes variation between starts of the program.
  [[nodiscard]] bool covers_starts() const { return starts > 1; }
  /// Half the width of the mean's 95 % interval.
  [[nodiscard]] std::optional<double> half_width() const;
  /// mean ± half_width(); nothing without a half width, or if the interval reaches zero.
  [[nodiscard]] std::optional<Interval> interval() const;
};

/// Student's t of a two-sided 95 % interval.
[[nodiscard]] double t95(std::int64_t degrees_of_freedom);

/// Needs at least one row.
[[nodiscard]] PooledFigure pool_figures(std::span<const RowFigure> rows);

} // namespace sdbench

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "sdbench/front/record/confidence.h"

namespace sdbench {

/// One row's figure, converted by Metric::averaged_scale(). It is above zero.
struct RowFigure {
  double mean = 0;
  std::optional<double> sd; ///< standard deviation of its timed runs
  std::int64_t runs = 0;
  std::uint32_t session = 0; ///< identifies the call of sdbench that wrote the row; 0: unknown
  std::int64_t restart = 1;  ///< number of the restart, counted from 1 in each round
  std::uint64_t unit = 0;    ///< identifies the card or host, see pool_units()
};

/// The spread from which an interval is computed.
enum class IntervalBasis {
  kRunsOfOneRow,
  /// Used if rows happen to lie closer together than the spread of their runs would explain.
  kRunsOfRows,
  kRows,
  kSessions,
  kCards,
  kHosts,
};

/// What one observation of an interval is.
enum class PoolOver {
  kRows,  ///< a row, or a session of rows
  kCards, ///< a card, by its rows' mean
  kHosts, ///< a host, because some row does not tell its card
};

/// The pooled figure of rows that repeat one measurement. It is the mean over sessions (calls of
/// sdbench with all their restarts) of each session's mean over its rows. All rows of a session
/// have the same weight, because a row of a hundred runs is still one start of the program. All
/// sessions have the same weight, because a session of ten starts still saw only one state of the
/// machine.
struct PooledFigure {
  double mean = 0; ///< mean of the sessions' means
  std::size_t rows = 0;
  std::size_t starts = 0;          ///< starts of the program; a row without a session counts as one
  std::size_t sessions = 0;        ///< number of sessions; 0: no row has a session
  std::int64_t runs = 0;           ///< number of timed runs in all rows
  std::optional<double> within_sd; ///< sd of runs around their own row's mean, pooled over rows
  std::optional<double> between_sd; ///< sd of the rows' means; needs two rows
  /// The standard error of `mean`, from the spread that gives the widest interval: that of the
  /// runs, rows or sessions. The rows' spread needs kRowsForBetweenRuns rows, the sessions' spread
  /// two sessions. Each spread is a sample standard deviation (n - 1). nullopt: no spread known.
  std::optional<double> standard_error;
  std::int64_t degrees_of_freedom = 0;
  IntervalBasis basis = IntervalBasis::kRunsOfOneRow; ///< what the standard error is computed from
  /// Half the width of the interval that follows from the spread of the runs alone.
  std::optional<double> within_half_width;

  /// True if the standard error includes variation between starts of the program.
  [[nodiscard]] bool covers_starts() const { return starts > 1; }
  /// Half the width of the mean's 95 % interval.
  [[nodiscard]] std::optional<double> half_width() const;
  /// mean ± half_width(). nullopt without a half width, or if the interval reaches zero.
  [[nodiscard]] std::optional<Interval> interval() const;
};

/// Student's t of a two-sided 95 % interval.
[[nodiscard]] double t95(std::int64_t degrees_of_freedom);

/// Pools the rows' figures. Needs at least one row.
[[nodiscard]] PooledFigure pool_figures(std::span<const RowFigure> rows);

/// Pools the rows of several cards or hosts. The figure is the mean over these units, of which each
/// counts by the mean that pool_figures() gives it. The standard error covers the spread between
/// units alone, so a single unit has no
/// standard error. Needs at least one row.
[[nodiscard]] PooledFigure pool_units(std::span<const RowFigure> rows, IntervalBasis basis);

} // namespace sdbench

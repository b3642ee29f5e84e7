#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "sdbench/base/record/confidence.h"

namespace sdbench {

/// One row's figure on the scale where it is averaged (a rate as its time), above zero.
struct RowFigure {
  double mean = 0;
  std::optional<double> sd; ///< of its timed runs
  std::int64_t runs = 0;
  std::uint32_t session = 0; ///< a number for each call of sdbench; 0: the row does not say
  std::int64_t restart = 1;  ///< which start of the session; its rounds share it
};

/// What an interval is made of.
enum class IntervalBasis {
  kRunsOfOneRow,
  kRunsOfRows, ///< rows that lie closer together than their runs explain do so by chance
  kRows,
  kSessions,
};

/// What the rows of one measurement say together. Every session (a call of sdbench, with all its
/// restarts) counts once, by the mean of its rows, and every row of it once, by its mean: a row of
/// a hundred runs is still one start of the program, and a session of ten starts one state of the
/// machine.
struct PooledFigure {
  double mean = 0; ///< of the sessions' means
  std::size_t rows = 0;
  std::size_t starts = 0;           ///< of the program; a row that says no session is one
  std::size_t sessions = 0;         ///< 0: no row says of which it is
  std::int64_t runs = 0;            ///< of all rows
  std::optional<double> within_sd;  ///< of a run around its own row's mean, pooled over the rows
  std::optional<double> between_sd; ///< of the rows' means; from two rows on
  /// Of `mean`, with its degrees of freedom: by the spread of the runs, from kRowsForBetweenRuns
  /// rows on of the rows (n - 1), and from two sessions on of these, whichever gives the widest
  /// interval. None where none is known.
  std::optional<double> standard_error;
  std::int64_t degrees_of_freedom = 0;
  IntervalBasis basis = IntervalBasis::kRunsOfOneRow; ///< of the standard error
  /// Half the width that the interval would have by the spread of the runs alone.
  std::optional<double> within_half_width;

  /// Whether what another start of the program changes is in the standard error.
  [[nodiscard]] bool covers_starts() const { return starts > 1; }
  /// Half the width of the mean's 95 % interval.
  [[nodiscard]] std::optional<double> half_width() const;
  /// mean ± half_width(); none either where it reaches zero.
  [[nodiscard]] std::optional<Interval> interval() const;
};

/// Student's t of a two-sided 95 % interval.
[[nodiscard]] double t95(std::int64_t degrees_of_freedom);

/// At least one row.
[[nodiscard]] PooledFigure pool_figures(std::span<const RowFigure> rows);

} // namespace sdbench

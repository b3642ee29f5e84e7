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
};

/// What an interval is made of.
enum class IntervalBasis {
  kRunsOfOneRow,
  kRunsOfRows, ///< rows that lie closer together than their runs explain do so by chance
  kRows,
};

/// What the rows of one measurement say together. Every row counts once, by its mean: a row of a
/// hundred runs is still one start of the program.
struct PooledFigure {
  double mean = 0; ///< of the rows' means
  std::size_t rows = 0;
  std::int64_t runs = 0;            ///< of all rows
  std::optional<double> within_sd;  ///< of a run around its own row's mean, pooled over the rows
  std::optional<double> between_sd; ///< of the rows' means; from two rows on
  /// Of `mean`, with its degrees of freedom: from kRowsForBetweenRuns rows on by the spread between
  /// them (n - 1), or by that of their runs where this gives the wider interval; of one row by that
  /// of its runs. None where neither is known.
  std::optional<double> standard_error;
  std::int64_t degrees_of_freedom = 0;
  IntervalBasis basis = IntervalBasis::kRunsOfOneRow; ///< of the standard error
  /// Half the width that the interval would have by the spread of the runs alone.
  std::optional<double> within_half_width;

  /// Whether what another start of the program changes is in the standard error.
  [[nodiscard]] bool covers_rows() const { return basis != IntervalBasis::kRunsOfOneRow; }
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

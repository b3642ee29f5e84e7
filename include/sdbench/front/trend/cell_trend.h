#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/record/field_name.h"
#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/compare/pooled_figure.h"
#include "sdbench/front/results/result_table.h"
#include "sdbench/front/trend/change_points.h"

namespace sdbench {

/// What a cell came to on one date. A session (a call of sdbench) is of the date of its first row
/// of the cell, in UTC, so that midnight divides none.
struct Night {
  std::int64_t day = 0;               ///< since 1970
  std::vector<std::size_t> rows;      ///< of the ResultTable, whose figures are pooled
  std::vector<std::size_t> failed;    ///< not ok, or a row that contradicts itself
  std::vector<std::size_t> left_out;  ///< cut short, suspended, or without this figure
  std::optional<PooledFigure> figure; ///< on the metric's averaged scale, as all figures here
  NightStanding standing;             ///< of a night with a figure
};

/// A field that differs between the rows before a change and those after it.
struct FieldChange {
  FieldName field;
  std::string before;
  std::string after;
};

/// A night from which on a cell is on another level.
struct LevelChange {
  std::size_t night = 0; ///< of CellTrend::nights: the first of the new level
  /// Of the ResultTable: those of up to kBaselineNights nights before it, and those of all nights
  /// until the next change; without odd nights.
  std::vector<std::size_t> rows_before;
  std::vector<std::size_t> rows_after;
  PooledFigure before;
  PooledFigure after;
  std::vector<FieldChange> fields; ///< the likeliest cause first
};

/// One cell of one card over dates.
struct CellTrend {
  std::size_t pool = 0;      ///< of Trends::comparison
  std::vector<Night> nights; ///< by date
  std::vector<LevelChange> changes;
  std::optional<double> spread;    ///< of a night around its level, as a part of it
  std::int64_t days_between = 1;   ///< usually, from night to night
  std::int64_t missing_nights = 0; ///< by that, between the first night and the last

  /// Nights with a figure, by place in `nights`.
  [[nodiscard]] std::vector<std::size_t> measured() const;
};

/// All cells by one metric.
struct Trends {
  Comparison comparison; ///< names of cells and cards; a pool for each trend
  std::vector<CellTrend> trends;
  std::vector<bool> keeps_state; ///< by row: whether states of its card divide its cell
  std::vector<std::string> tags; ///< by row: those that divide its cell
  std::vector<std::size_t> rows; ///< that count
  std::int64_t last_day = 0;     ///< of all cells
  /// In words: rows that are left out because of their dates, cells without a figure, and the like.
  std::vector<std::string> remarks;
};

/// Rows are pooled as compare_rows() does, but what may change over time (driver, kernel, libtorch,
/// engine's revision, the card's state) divides no cell: it is what a change is explained by. Cells
/// that are measured in several states on one date, as under two power limits, are a cell for each.
/// A key of --tag divides a cell of which more than half of the key's values are of one date.
/// `now_utc`: rows from after it are left out. No trends where no row has a date.
[[nodiscard]] Trends cell_trends(const ResultTable& table, std::span<const std::size_t> rows,
                                 const Metric& metric, std::string_view now_utc);

/// Gives cells and cards the words of a table as it is now, for what may be shared, and the changed
/// fields, too.
void name_trends_anew(Trends& trends, const ResultTable& table);

/// "2026-01-31" of days since 1970.
[[nodiscard]] std::string date_text(std::int64_t day);

} // namespace sdbench

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/compare/pooled_figure.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/results/result_table.h"
#include "sdbench/front/trend/change_points.h"

namespace sdbench {

/// A cell's rows of one date. A session (a call of sdbench) belongs to the date of its first row of
/// the cell, in UTC, so that midnight does not split it.
struct Night {
  std::int64_t day = 0;               ///< since 1970
  std::vector<std::size_t> rows;      ///< of the ResultTable; their figures are pooled
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
  bool is_hidden = false; ///< both values are private, and so are left out
};

/// A change of a cell's level, from one night on.
struct LevelChange {
  std::size_t night = 0; ///< of CellTrend::nights: the first of the new level
  /// Rows of the ResultTable: of up to kBaselineNights nights before the change, and of all nights
  /// until the next change; odd nights excluded.
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
  std::optional<double>
      spread; ///< standard deviation of a night around its level, as a fraction of it
  std::int64_t days_between = 1;   ///< usual number, from night to night
  std::int64_t missing_nights = 0; ///< between the first night and the last, by `days_between`

  /// Nights with a figure, by place in `nights`.
  [[nodiscard]] std::vector<std::size_t> measured() const;
};

/// All cells by one metric.
struct Trends {
  Comparison comparison; ///< holds the names of cells and cards, and a pool for each trend
  std::vector<CellTrend> trends;
  std::vector<bool> keeps_state; ///< by row: true if states of its card split its cell
  std::vector<std::string> tags; ///< by row: those that split its cell
  std::vector<std::size_t> rows; ///< rows that count
  std::int64_t last_day = 0;     ///< of all cells
  /// Texts about rows left out because of their dates, cells without a figure, and so on.
  std::vector<std::string> remarks;
};

/// Pools rows as compare_rows() does, but what may change over time (software, parts of the
/// machine, what options came to, the card's state) splits no cell: it explains changes. A cell
/// measured in several states on one date, such as two power limits, becomes a cell for each state.
/// A key of --tag splits a cell if more than half of the key's values occur on one date. Leaves out
/// rows later than `now_utc`. No trends if no row has a date.
[[nodiscard]] Trends cell_trends(const ResultTable& table, std::span<const std::size_t> rows,
                                 const Metric& metric, std::string_view now_utc);

/// Renames cells, cards and changed fields from the table's present values, after private fields
/// were taken out.
void name_trends_anew(Trends& trends, const ResultTable& table);

/// "2026-01-31", from days since 1970.
[[nodiscard]] std::string date_text(std::int64_t day);

} // namespace sdbench

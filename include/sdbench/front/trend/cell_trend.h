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

/// A night: a cell's rows of one date (UTC). A session (one call of sdbench) belongs as a whole to
/// the date of the cell's first row in it, so that midnight does not split the session.
struct Night {
  std::int64_t day = 0; ///< days since 1970-01-01
  /// Good rows, as indices in the ResultTable; their figures are pooled.
  std::vector<std::size_t> rows;
  std::vector<std::size_t> failed;   ///< rows that failed or whose fields contradict each other
  std::vector<std::size_t> left_out; ///< rows that are incomplete (is_whole_by) or lack this figure
  /// Pooled from `rows`. Rates are averaged as reciprocals, so all figures of rates in this header
  /// are reciprocals (s/image, not images/s).
  std::optional<PooledFigure> figure;
  NightStanding standing; ///< only set for a night with a figure
};

/// A field that differs between the rows before a change and those after it. If its values were
/// removed because they are private, both texts are empty.
struct FieldChange {
  FieldName field;
  std::string before;
  std::string after;
};

/// A lasting change of a cell's figure. The nights between two changes form a level.
struct LevelChange {
  std::size_t night = 0; ///< index in CellTrend::nights of the first night after the change
  /// Both lists: indices in the ResultTable, without rows of odd nights (NightStanding::is_odd).
  std::vector<std::size_t> rows_before; ///< rows of up to kBaselineNights nights before the change
  std::vector<std::size_t> rows_after;  ///< rows of all nights from the change to the next one
  PooledFigure before;
  PooledFigure after;
  std::vector<FieldChange> fields; ///< fields that changed, the likeliest cause first
};

/// The history of one cell on one card.
struct CellTrend {
  std::size_t pool = 0;      ///< index in Trends::comparison.pools of the pool with the cell's rows
  std::vector<Night> nights; ///< in order of dates
  std::vector<LevelChange> changes;
  /// Standard deviation of nightly figures around their level, as a fraction of the level.
  std::optional<double> spread;
  std::int64_t days_between = 1; ///< usual number of days from one night to the next
  /// Number of nights missing between the first and the last, if one is expected every
  /// `days_between` days.
  std::int64_t missing_nights = 0;

  /// Indices of the nights that have a figure.
  [[nodiscard]] std::vector<std::size_t> measured() const;
};

/// The histories of all cells, for one metric.
struct Trends {
  Comparison comparison; ///< has names of cells and cards; each trend's rows are a pool
  std::vector<CellTrend> trends;
  std::vector<bool> keeps_state; ///< for each row: true if its cell is limited to one card state
  std::vector<std::string> tags; ///< for each row: tags that distinguish its cell from others
  std::vector<std::size_t> rows; ///< rows that are used
  std::int64_t last_day = 0;     ///< latest day of all cells
  /// Remarks for the user, such as about rows left out because of their dates, or cells without a
  /// figure.
  std::vector<std::string> remarks;
};

/// Groups rows into cells and finds the changes of each cell. Rows are pooled as in compare_rows(),
/// but rows of one cell may differ in software, in parts of the machine, in the state of the card,
/// and in the values that settings such as `auto` chose. Such differences may explain the changes.
/// - If a cell was measured in several states of a card on one date, such as two power limits, each
///   state becomes a cell of its own.
/// - The values of a --tag key separate cells if at least two of them occur on one date, and these
///   are more than half of all values of the key.
/// - Rows later than `now_utc` are left out.
/// - Without any row with a date, there are no trends.
[[nodiscard]] Trends cell_trends(const ResultTable& table, std::span<const std::size_t> rows,
                                 const Metric& metric, std::string_view now_utc);

/// Names cells, cards and changed fields anew from the table. Call it after private fields were
/// removed from the table.
void name_trends_anew(Trends& trends, const ResultTable& table);

/// Converts days since 1970-01-01 to a text: "2026-01-31".
[[nodiscard]] std::string date_text(std::int64_t day);

} // namespace sdbench

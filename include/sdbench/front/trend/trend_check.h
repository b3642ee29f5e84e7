#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/results/result_table.h"
#include "sdbench/front/trend/cell_trend.h"

namespace sdbench {

/// What --fail-if-slower finds for one cell.
struct TrendFinding {
  enum class Kind {
    kFine,
    kSlower,    ///< since a change of the last kBaselineNights nights
    kBroken,    ///< the last night failed where earlier nights did not, or failed in every row
    kUndecided, ///< too little is known
    kNotJudged, ///< the cell is measured no more, or never fitted the card
  };
  std::size_t trend = 0; ///< of Trends::trends
  Kind kind = Kind::kFine;
  std::string words; ///< why; for kFine the last night compared with its baseline
};

/// One finding for each cell that has a figure or failed every night. Compares the nights since a
/// change with those before it, by verdict_of() with `limit` as the threshold (0.05: 5 % more
/// time). Both sides need several starts, as in check_slower().
[[nodiscard]] std::vector<TrendFinding> check_trends(const Trends& trends, const ResultTable& table,
                                                     double limit);

/// Status of the first row of the night that failed: "crash". Empty if no row failed, apart from
/// interruptions.
[[nodiscard]] std::string failure_of(const Night& night, const ResultTable& table);

/// "the last night, 2026-01-31: crash, no figure" if check_trends() would call a cell with figures
/// broken; else empty.
[[nodiscard]] std::string last_failure_text(const CellTrend& trend, const ResultTable& table);

/// "sd15 512x512, 20 steps, batch 1: RTX 3060 on desk"
[[nodiscard]] std::string cell_name(const Trends& trends, const CellTrend& trend);

/// Dates of failures with their status: "2026-01-05 (crash), 2026-01-09 (OOM)". Only the
/// last ones of many.
[[nodiscard]] std::string failed_nights_text(const CellTrend& trend, const ResultTable& table);

/// "driver_version 570.86 -> 580.10, git_sha 1a2b3c -> 4d5e6f"; only the likeliest causes of many.
[[nodiscard]] std::string changed_fields_text(const LevelChange& change);

} // namespace sdbench

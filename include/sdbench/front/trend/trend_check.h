#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/results/result_table.h"
#include "sdbench/front/trend/cell_trend.h"

namespace sdbench {

/// What --fail-if-slower says of one cell.
struct TrendFinding {
  enum class Kind {
    kFine,
    kSlower,    ///< since a change of the last kBaselineNights nights
    kBroken,    ///< the last night failed where those before it did not, or wholly
    kUndecided, ///< too little is known
    kNotJudged, ///< the cell is measured no more, or never fitted the card
  };
  std::size_t trend = 0; ///< of Trends::trends
  Kind kind = Kind::kFine;
  std::string words; ///< why; of kFine the last night beside its baseline
};

/// One finding for each cell that has a figure or failed each night. Slower as verdict_of() says it
/// with `limit` for the threshold (0.05: 5 % more time): the nights since a change beside those
/// before it. Both sides must have several starts, as check_slower() demands it.
[[nodiscard]] std::vector<TrendFinding> check_trends(const Trends& trends, const ResultTable& table,
                                                     double limit);

/// How the first row of the night that failed did so: "crash". Empty: none, or just interrupted.
[[nodiscard]] std::string_view failure_of(const Night& night, const ResultTable& table);

/// "the last night, 2026-01-31: crash, no figure" where check_trends() would call a cell with
/// figures broken; empty elsewhere.
[[nodiscard]] std::string last_failure_text(const CellTrend& trend, const ResultTable& table);

/// "sd15 512x512, 20 steps, batch 1: RTX 3060 on desk"
[[nodiscard]] std::string cell_name(const Trends& trends, const CellTrend& trend);

/// Dates with what failed on them: "2026-01-05 (crash), 2026-01-09 (oom_device)". Of many the last
/// ones.
[[nodiscard]] std::string failed_nights_text(const CellTrend& trend, const ResultTable& table);

/// "driver_version 570.86 -> 580.10, git_sha 1a2b3c -> 4d5e6f"; of many the likeliest ones.
[[nodiscard]] std::string changed_fields_text(const LevelChange& change);

} // namespace sdbench

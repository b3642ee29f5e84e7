#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sdbench/front/results/result_table.h"
#include "sdbench/front/trend/cell_trend.h"

namespace sdbench {

/// What `sdbench trend --fail-if-slower` finds for one cell.
struct TrendFinding {
  enum class Kind {
    kFine,
    kSlower,    ///< slower since a change within the last kBaselineNights nights
    kBroken,    ///< the last night has failures and no figure, or the first ones in kBaselineNights
    kUndecided, ///< there are not enough data
    kNotJudged, ///< the cell is no longer measured, or never fitted into the card's memory
  };
  std::size_t trend = 0; ///< index in Trends::trends
  Kind kind = Kind::kFine;
  std::string words; ///< reason; for kFine, the last night compared with its baseline
};

/// Returns one finding for each cell that has a figure or failed every night. Compares the nights
/// since a change with those before it, by verdict_of() with the threshold `limit` (0.05: 5 % more
/// time). Both groups of nights need several program starts, as in check_slower().
[[nodiscard]] std::vector<TrendFinding> check_trends(const Trends& trends, const ResultTable& table,
                                                     double limit);

/// Status of the night's first failed row: "crash". Interruptions do not count as failures. Empty
/// if no row failed.
[[nodiscard]] std::string failure_of(const Night& night, const ResultTable& table);

/// Describes why check_trends() finds kBroken for a cell that has figures: "the last night,
/// 2026-01-31: crash, no figure". Empty if it finds another kind.
[[nodiscard]] std::string last_failure_text(const CellTrend& trend, const ResultTable& table);

/// Names cell and card: "sd15 512x512, 20 steps, batch 1: RTX 3060 on desk".
[[nodiscard]] std::string cell_name(const Trends& trends, const CellTrend& trend);

/// Lists dates of failures with their status: "2026-01-05 (crash), 2026-01-09 (OOM)". If
/// there are many, lists only the latest.
[[nodiscard]] std::string failed_nights_text(const CellTrend& trend, const ResultTable& table);

/// Lists the changed fields: "driver_version 570.86 -> 580.10, git_sha 1a2b3c -> 4d5e6f". If there
/// are many, lists only the likeliest causes.
[[nodiscard]] std::string changed_fields_text(const LevelChange& change);

} // namespace sdbench

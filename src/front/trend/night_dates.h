#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// The seconds since 1970 of a record's time ("2026-01-31T22:15:00Z"). Nothing for other texts.
[[nodiscard]] std::optional<std::int64_t> seconds_of(std::string_view time_utc);

/// Rows with plausible dates, and remarks on all others.
struct DatedRows {
  std::vector<std::size_t> rows;
  std::vector<std::string> remarks;
};
/// Leaves out rows without a date and rows of a wrong clock: dated before 2020, when sdbench did
/// not exist, or more than a day after `now_utc`. Remarks where in a file a host's clock went back
/// by more than a day.
[[nodiscard]] DatedRows dated_rows(const ResultTable& table, std::span<const std::size_t> rows,
                                   std::string_view now_utc);

} // namespace sdbench

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

/// A moment as a record has it, "2026-01-31T22:15:00Z"; seconds since 1970. None where a text is no
/// such moment.
[[nodiscard]] std::optional<std::int64_t> seconds_of(std::string_view time_utc);

/// Rows whose dates can be true, and what is to be said of the others.
struct DatedRows {
  std::vector<std::size_t> rows;
  std::vector<std::string> remarks;
};
/// Leaves out rows without a date, and those of a clock that was wrong: dated before 2020, when
/// there was no sdbench, or more than a day after `now_utc`. Says where in a file a host's clock
/// went back by more than a day.
[[nodiscard]] DatedRows dated_rows(const ResultTable& table, std::span<const std::size_t> rows,
                                   std::string_view now_utc);

} // namespace sdbench

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sdbench/front/results/result_table.h"
#include "sdbench/front/trend/cell_trend.h"

namespace sdbench {

/// The fields that usually affect speed and whose value after the change occurs in no row before
/// it. The likeliest cause comes first. Gives the last value before and the first after. Compares
/// numbers that never repeat by their medians.
[[nodiscard]] std::vector<FieldChange> changed_fields(const ResultTable& table,
                                                      std::span<const std::size_t> before,
                                                      std::span<const std::size_t> after);

} // namespace sdbench

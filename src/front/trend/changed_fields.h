#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sdbench/front/results/result_table.h"
#include "sdbench/front/trend/cell_trend.h"

namespace sdbench {

/// Of the fields that usually change speed those that no row before has as the rows after have
/// them, the likeliest cause first: the last value before, and the first after. Numbers that never
/// repeat are compared by their medians.
[[nodiscard]] std::vector<FieldChange> changed_fields(const ResultTable& table,
                                                      std::span<const std::size_t> before,
                                                      std::span<const std::size_t> after);

} // namespace sdbench

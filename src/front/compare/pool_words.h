#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// The figure, with its unit unless the head of the column is the unit. Of a pool that has no
/// figure how it ended, or "-".
[[nodiscard]] std::string value_text(const Comparison& comparison, const ResultTable& table,
                                     const Pool& pool);

/// The row of a pool whose outcome is the pool's.
[[nodiscard]] std::size_t status_row(const Pool& pool);

/// Seconds per image, from images_per_min. Nothing unless the rows make images by a UNet.
[[nodiscard]] std::optional<double> s_per_image(const Pool& pool);

/// True if the pool has a figure and is compared with a base.
[[nodiscard]] bool is_judged(const Comparison& comparison, const Pool& pool);

/// "1.25x", relative to the pool's base; empty without a base.
[[nodiscard]] std::string relative_text(const Comparison& comparison, const Pool& pool);

/// "1.25x"
[[nodiscard]] std::string times_text(double ratio);

} // namespace sdbench

#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace sdbench {

/// The t with P(|T| <= t) = `confidence` (in (0, 1)) for Student's distribution with
/// `degrees_of_freedom` >= 1: 12.706 for 0.95 and 1, towards 1.960 for many. Relative error under
/// 1e-9.
[[nodiscard]] double student_t(double confidence, std::int64_t degrees_of_freedom);

/// Half the width of the 95 % interval of the samples' mean, which is mean ± this, in the samples'
/// unit. Takes the samples to be independent of each other and nearly normal. nullopt below two.
[[nodiscard]] std::optional<double> ci95_half_width(std::span<const double> samples);

} // namespace sdbench

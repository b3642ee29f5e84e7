#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace sdbench {

/// Two-sided quantile of Student's t distribution: the t with P(|T| <= t) = `confidence`. Needs 0 <
/// `confidence` < 1 and `degrees_of_freedom` >= 1. At `confidence` 0.95, t is 12.706 for one degree
/// of freedom, and approaches 1.960 for many. The relative error is below 1e-9.
[[nodiscard]] double student_t(double confidence, std::int64_t degrees_of_freedom);

/// Half the width of the 95 % confidence interval of the mean, in the samples' unit: the interval
/// is mean ± this value. Assumes independent, nearly normal samples. nullopt for fewer than two
/// samples.
[[nodiscard]] std::optional<double> ci95_half_width(std::span<const double> samples);

} // namespace sdbench

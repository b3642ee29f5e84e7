#include "sdbench/front/record/student_t.h"

#include <cmath>
#include <numbers>

#include "sdbench/base/numbers/statistics.h"

namespace sdbench {
namespace {

/// P(|T| <= sqrt(dof) * tan(angle)). For integer degrees of freedom it is a finite sum (Abramowitz
/// and Stegun, 26.7.3 and 26.7.4). Its terms shrink, so the sum may end early.
double probability_within(double angle, std::int64_t dof) {
  constexpr double kNegligible = 1e-18;
  const double cosine = std::cos(angle);
  const bool odd = dof % 2 == 1;
  double term = odd ? cosine : 1;
  double sum = 0;
  for (std::int64_t k = odd ? 1 : 0; k <= dof - 2 && term > kNegligible; k += 2) {
    sum += term;
    const auto next = static_cast<double>(k + 2);
    term *= cosine * cosine * (next - 1) / next;
  }
  sum *= std::sin(angle);
  return odd ? (angle + sum) * 2 / std::numbers::pi : sum;
}

} // namespace

double student_t(double confidence, std::int64_t degrees_of_freedom) {
  double low = 0;
  double high = std::numbers::pi / 2;
  // Bisects until no double is left between the bounds: the probability rises with the angle.
  for (double middle = high / 2; middle > low && middle < high; middle = low + (high - low) / 2) {
    (probability_within(middle, degrees_of_freedom) < confidence ? low : high) = middle;
  }
  return std::sqrt(static_cast<double>(degrees_of_freedom)) * std::tan(low);
}

std::optional<double> ci95_half_width(std::span<const double> samples) {
  const std::optional<double> sd = sample_sd(samples);
  if (!sd) {
    return std::nullopt;
  }
  const auto count = static_cast<double>(samples.size());
  return student_t(0.95, static_cast<std::int64_t>(samples.size()) - 1) * *sd / std::sqrt(count);
}

} // namespace sdbench

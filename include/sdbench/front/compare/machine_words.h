#pragma once

#include <optional>
#include <string>

namespace sdbench {

/// What probes measured of the device of a row, and what makes two of them comparable.
struct ProbedRates {
  std::string device; ///< the model of the device, and its share of the cores
  std::string format; ///< of the products
  std::optional<double> product_tflops;
  std::optional<double> copy_gb_s;
};

/// Says in a sentence whether the device itself is another one than it was, or whether only what
/// runs on it may have changed: "by their probes, whatever runs on it, the device of A computes 10
/// % slower than that of B". Rates within 3 % of each other are the same. Empty for different
/// devices, and if probes measured nothing of both. `a` and `b`: what to call the two, as in "A"
/// and "B".
[[nodiscard]] std::string machine_words(const ProbedRates& rates_a, const ProbedRates& rates_b,
                                        const std::string& a, const std::string& b);

} // namespace sdbench

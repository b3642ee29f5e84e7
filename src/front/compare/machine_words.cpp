#include "sdbench/front/compare/machine_words.h"

#include <cmath>

#include "sdbench/base/numbers/number_text.h"

namespace sdbench {
namespace {

constexpr double kPercent = 100;
constexpr double kSamePercent = 3;

/// Of a in percent of b; nothing if one of them is unknown.
std::optional<double> change(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b && *b > 0 ? std::optional(kPercent * (*a / *b - 1)) : std::nullopt;
}

/// "computes 10 % slower"; empty for the same rate.
std::string change_words(const std::string& does, double percent) {
  return std::abs(percent) <= kSamePercent ? ""
                                           : does + " " + significant_text(std::abs(percent), 2) +
                                                 (percent < 0 ? " % slower" : " % faster");
}

} // namespace

std::string machine_words(const ProbedRates& rates_a, const ProbedRates& rates_b,
                          const std::string& a, const std::string& b) {
  const auto product = change(rates_a.product_tflops, rates_b.product_tflops);
  const auto copy = change(rates_a.copy_gb_s, rates_b.copy_gb_s);
  if (!product || !copy) {
    return "";
  }
  const std::string computes = change_words("computes", *product);
  const std::string copies = change_words("copies", *copy);
  if (computes.empty() && copies.empty()) {
    return "by their probes both devices are as fast, so another speed comes from software or "
           "settings";
  }
  return "by their probes, whatever runs on it, the device of " + a + " " + computes +
         (computes.empty() || copies.empty() ? "" : " and ") + copies + " than that of " + b;
}

} // namespace sdbench

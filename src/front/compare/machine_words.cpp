#include "sdbench/front/compare/machine_words.h"

#include <cmath>

#include "sdbench/base/numbers/number_text.h"
#include "sdbench/front/record/flags.h"

namespace sdbench {
namespace {

constexpr double kPercent = 100;

/// Of a in percent of b; nothing if one of them is unknown.
std::optional<double> change(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b && *b > 0 ? std::optional(kPercent * (*a / *b - 1)) : std::nullopt;
}

/// "computes 10 % slower"; empty for the same rate.
std::string change_words(const std::string& does, const std::optional<double>& percent) {
  return std::abs(percent.value_or(0)) <= kChangedPercent
             ? ""
             : does + " " + number_text(std::round(std::abs(*percent))) +
                   (*percent < 0 ? " % slower" : " % faster");
}

} // namespace

std::string machine_words(const ProbedRates& rates_a, const ProbedRates& rates_b,
                          const std::string& a, const std::string& b) {
  if (rates_a.device != rates_b.device) {
    return "";
  }
  const auto product = rates_a.format == rates_b.format
                           ? change(rates_a.product_tflops, rates_b.product_tflops)
                           : std::nullopt;
  const auto copy = change(rates_a.copy_gb_s, rates_b.copy_gb_s);
  if (!product && !copy) {
    return "";
  }
  const std::string computes = change_words("computes", product);
  const std::string copies = change_words("copies", copy);
  if (computes.empty() && copies.empty()) {
    return std::string("by their probes both devices ") +
           (!product ? "copy"
            : !copy  ? "compute"
                     : "compute and copy") +
           " as fast: another speed comes from software, settings or what the flags name";
  }
  return "by their probes, whatever runs on it, the device of " + a + " " + computes +
         (computes.empty() || copies.empty() ? "" : " and ") + copies + " than that of " + b;
}

} // namespace sdbench

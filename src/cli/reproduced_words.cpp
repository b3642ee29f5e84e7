#include "sdbench/cli/reproduced_words.h"

#include <cmath>

#include "sdbench/compare/percent_words.h"
#include "sdbench/core/number_text.h"

namespace sdbench {
namespace {

/// "+12.3", "-4.1": percent
std::string change_text(double ratio) {
  constexpr double kPercent = 100;
  const double percent = kPercent * (ratio - 1);
  return (percent < 0 ? "-" : "+") + significant_text(std::abs(percent), 2);
}

std::string standing(Verdict verdict) {
  switch (verdict) {
  case Verdict::kFaster:
    return "faster";
  case Verdict::kSlower:
    return "slower";
  case Verdict::kSame:
    return "the same within " + percent_words(kSameWithin);
  case Verdict::kUnclear:
    break;
  }
  return "unclear";
}

} // namespace

std::string reproduced_words(Verdict verdict, const Ratio& ratio) {
  return standing(verdict) + ": " + change_text(ratio.value) + " %" +
         (ratio.interval ? " (95 % interval " + change_text(ratio.interval->low) + " to " +
                               change_text(ratio.interval->high) + " %)"
                         : " (no interval: one of the two has a single run)");
}

} // namespace sdbench

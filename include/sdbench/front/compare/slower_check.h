#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sdbench/front/compare/comparison.h"

namespace sdbench {

/// What --fail-if-slower found, a line each.
struct SlowerCheck {
  std::size_t compared = 0; ///< places that have a baseline with the same settings
  std::vector<std::string> slower;
  std::vector<std::string> broken;    ///< failed where the baseline did not
  std::vector<std::string> uncertain; ///< a gap of the limit that the intervals do not prove
  std::vector<std::string> missing;   ///< places of the baseline that nothing was compared with
};

/// Against the baseline's place with the same settings. Slower as verdict_of says it with `limit`
/// for the threshold (0.05: takes 5 % longer); what was interrupted or not run is missing.
[[nodiscard]] SlowerCheck check_slower(const Comparison& comparison, const ResultTable& table,
                                       double limit);

} // namespace sdbench

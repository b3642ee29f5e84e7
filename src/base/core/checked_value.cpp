#include "sdbench/base/core/checked_value.h"

#include <algorithm>

#include "sdbench/base/core/error.h"
#include "sdbench/base/core/in_quotes.h"
#include "sdbench/base/core/listed.h"
#include "sdbench/base/core/suggestion.h"

namespace sdbench {

std::string one_of(const std::string& name, const std::string& value,
                   const std::vector<std::string>& known) {
  if (std::ranges::find(known, value) == known.end()) {
    throw UsageError(name + " must be " + listed(known, "or") + ", but is " + in_quotes(value) +
                     did_you_mean(value, known));
  }
  return value;
}

std::int64_t in_range(const std::string& name, std::int64_t value, std::int64_t low,
                      std::int64_t high) {
  if (value < low || value > high) {
    throw UsageError(name + " must be between " + std::to_string(low) + " and " +
                     std::to_string(high) + ", but is " + std::to_string(value));
  }
  return value;
}

} // namespace sdbench

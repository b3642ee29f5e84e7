#include "sdbench/base/errors/checked_value.h"

#include <algorithm>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/errors/suggestion.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"

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

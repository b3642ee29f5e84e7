#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sdbench {

/// Returns `value` if it is one of `known`. Otherwise throws UsageError; the error message begins
/// with `name` ("--dtype"), lists `known` and suggests the most similar of these values.
std::string one_of(const std::string& name, const std::string& value,
                   const std::vector<std::string>& known);

/// Returns `value` if it is from `low` to `high`, inclusive. Otherwise throws UsageError; the
/// error message begins with `name`.
std::int64_t in_range(const std::string& name, std::int64_t value, std::int64_t low,
                      std::int64_t high);

} // namespace sdbench

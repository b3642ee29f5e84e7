#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sdbench {

/// Returns `value`, which must be one of `known`. Otherwise throws UsageError, which lists these
/// and suggests the likeliest. `name` begins the error ("--dtype").
std::string one_of(const std::string& name, const std::string& value,
                   const std::vector<std::string>& known);

/// Returns `value`, which must be from `low` to `high`. Otherwise throws UsageError, which begins
/// with `name`.
std::int64_t in_range(const std::string& name, std::int64_t value, std::int64_t low,
                      std::int64_t high);

} // namespace sdbench

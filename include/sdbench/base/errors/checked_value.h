#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sdbench {

/// Returns `value` if it is one of `known`. Otherwise throws UsageError. Its message begins with
/// `name` ("--dtype"), lists `known` and suggests the most similar of them.
std::string one_of(const std::string& name, const std::string& value,
                   const std::vector<std::string>& known);

/// Returns `value` if it is from `low` to `high`, inclusive. Otherwise throws UsageError; its
/// message begins with `name`.
std::int64_t in_range(const std::string& name, std::int64_t value, std::int64_t low,
                      std::int64_t high);

} // namespace sdbench

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace sdbench {

using NamedValue = std::pair<std::string_view, std::string>;

/// Stable id of some named values: the first 16 hexadecimal digits of the SHA-256 of the lines
/// "name=value", in the given order. The same on every machine; changes with any name, value or
/// their order.
[[nodiscard]] std::string stable_id(std::span<const NamedValue> values);

/// So much of a run_id at least stands for all of it, where it begins no other.
inline constexpr std::size_t kShortestRunId = 4;

} // namespace sdbench

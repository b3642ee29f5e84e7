#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sdbench {

/// The known name that `word` was most likely meant to be; empty if none is near.
[[nodiscard]] std::string likely_name(std::string_view word, std::span<const std::string> known);

/// "; did you mean NAME?" or, with nothing near, an empty string: the end of an error message.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string> known);

} // namespace sdbench

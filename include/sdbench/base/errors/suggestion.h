#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sdbench {

/// The known name that `word` most likely means; empty if none is similar.
[[nodiscard]] std::string likely_name(std::string_view word, std::span<const std::string> known);

/// End of an error message: "; did you mean NAME?", or empty if none is similar.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string> known);

} // namespace sdbench

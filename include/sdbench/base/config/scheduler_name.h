#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// Noise levels of a sampler's steps, as in records.
inline constexpr std::string_view kTrainingLevels = "training"; ///< those of the model's training
inline constexpr std::string_view kKarrasLevels = "karras";     ///< after Karras et al., 2022

[[nodiscard]] std::string_view noise_levels(bool karras);

/// One word for a sampler and its noise levels: "euler", "euler_karras". Used in ids and tables.
[[nodiscard]] std::string sampler_word(std::string_view scheduler, std::string_view noise_levels);

/// The values of --scheduler; the first is the default.
[[nodiscard]] std::vector<std::string> scheduler_choices();

} // namespace sdbench

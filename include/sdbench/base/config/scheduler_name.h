#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// Noise levels of a sampler's steps, as records name them.
inline constexpr std::string_view kTrainingLevels = "training"; ///< that the model was trained with
inline constexpr std::string_view kKarrasLevels = "karras";     ///< after Karras et al., 2022

[[nodiscard]] std::string_view noise_levels(bool karras);

/// One word for a sampler and its noise levels: "euler", "euler_karras". Ids are made of it, and
/// tables show it.
[[nodiscard]] std::string sampler_word(std::string_view scheduler, std::string_view noise_levels);

/// What --scheduler may be; the first is the default.
[[nodiscard]] std::vector<std::string> scheduler_choices();

} // namespace sdbench

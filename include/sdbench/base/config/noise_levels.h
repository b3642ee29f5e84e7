#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// The two schedules of noise levels (sigmas) that a sampler can use, as records name them.
inline constexpr std::string_view kTrainingLevels = "training"; ///< as in the model's training
inline constexpr std::string_view kKarrasLevels = "karras"; ///< spaced as in Karras et al., 2022

/// kKarrasLevels if `karras` is true, else kTrainingLevels.
[[nodiscard]] std::string_view noise_levels(bool karras);

/// One word for a sampler and its noise levels, for ids and tables: "euler" or "euler_karras".
[[nodiscard]] std::string sampler_word(std::string_view scheduler, std::string_view noise_levels);

/// All values of --scheduler. The first, "auto", is the default.
[[nodiscard]] std::vector<std::string> scheduler_choices();

} // namespace sdbench

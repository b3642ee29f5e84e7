#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// A sampler: an algorithm that turns noise into an image. A table in
/// engine/pipeline/diffusion_sampler.cpp names its C++ class; SAMPLERS in
/// engines/shared/samplers.py names its diffusers class.
struct SamplerRow {
  std::string_view name;            ///< name in --scheduler, records and metadata of images
  std::string_view title;           ///< name in sentences for people
  std::string_view scheduler_class; ///< diffusers' scheduler class that computes the same steps
  std::int64_t calls_per_step = 1;  ///< maximum number of UNet calls per step
};

/// All samplers. The first is the default, used for --scheduler auto.
inline constexpr SamplerRow kSamplers[] = {{"euler", "Euler", "EulerDiscreteScheduler"}};
inline constexpr const SamplerRow& kUsualSampler = kSamplers[0];

/// Names of all samplers, in the table's order.
[[nodiscard]] std::vector<std::string> sampler_names();

/// The sampler with that name. Throws Error for an unknown name.
[[nodiscard]] const SamplerRow& sampler_named(std::string_view name);

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

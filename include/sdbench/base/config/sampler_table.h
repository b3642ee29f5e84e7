#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// A way from noise to an image. Its class is a row of engine/pipeline/diffusion_sampler.cpp;
/// diffusers' class is in SAMPLERS of engines/shared/models.py.
struct SamplerRow {
  std::string_view name;            ///< in --scheduler, records and images
  std::string_view title;           ///< in sentences
  std::string_view scheduler_class; ///< diffusers' class with the same steps
  std::int64_t calls_per_step = 1;  ///< of the UNet, at most
};

/// The first is the usual one, used for --scheduler auto.
inline constexpr SamplerRow kSamplers[] = {{"euler", "Euler", "EulerDiscreteScheduler"}};
inline constexpr const SamplerRow& kUsualSampler = kSamplers[0];

/// The names of all rows, in order.
[[nodiscard]] std::vector<std::string> sampler_names();

/// Throws Error for an unknown name.
[[nodiscard]] const SamplerRow& sampler_named(std::string_view name);

} // namespace sdbench

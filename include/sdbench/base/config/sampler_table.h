#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// A way from noise to an image. The class that computes it is a row of
/// engine/pipeline/diffusion_sampler.cpp, and diffusers' class one of SAMPLERS in
/// engines/shared/models.py.
struct SamplerRow {
  std::string_view name;            ///< as --scheduler, records and pictures write it
  std::string_view title;           ///< in sentences
  std::string_view scheduler_class; ///< diffusers' class that takes the same steps
  std::int64_t calls_per_step = 1;  ///< of the UNet, at most
};

/// The first is the usual one, which --scheduler auto takes.
inline constexpr SamplerRow kSamplers[] = {{"euler", "Euler", "EulerDiscreteScheduler"}};
inline constexpr const SamplerRow& kUsualSampler = kSamplers[0];

/// Of all rows, in their order.
[[nodiscard]] std::vector<std::string> sampler_names();

/// Throws Error for a name that no row has.
[[nodiscard]] const SamplerRow& sampler_named(std::string_view name);

} // namespace sdbench

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

} // namespace sdbench

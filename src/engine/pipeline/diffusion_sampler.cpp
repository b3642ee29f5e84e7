#include "sdbench/engine/pipeline/diffusion_sampler.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/sampler_table.h"
#include "sdbench/engine/pipeline/euler_discrete.h"

namespace sdbench {
namespace {

struct MakerRow {
  std::string_view name;
  SamplerMaker make;
};

template <class Kind>
constexpr MakerRow kRowOf{Kind::kName,
                          [](const SchedulerConfig& config,
                             std::int64_t steps) -> std::shared_ptr<const DiffusionSampler> {
                            return std::make_shared<const Kind>(config, steps);
                          }};

/// One for each row of kSamplers, in the same order.
constexpr MakerRow kMakers[] = {kRowOf<EulerDiscrete>};
static_assert(std::ranges::equal(kMakers, kSamplers, {}, &MakerRow::name, &SamplerRow::name));

} // namespace

SamplerMaker sampler_maker(std::string_view name) {
  return kMakers[&sampler_named(name) - kSamplers].make;
}

} // namespace sdbench

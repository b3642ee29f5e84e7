#include "sdbench/engine/pipeline/denoiser.h"

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "sdbench/engine/pipeline/unet_denoiser.h"

namespace sdbench {
namespace {

std::unique_ptr<const Denoiser> make(const UNetConfig& config, const Weights& weights,
                                     Attention kernel) {
  return std::make_unique<UNetDenoiser>(weights, config, kernel);
}

} // namespace

std::unique_ptr<const Denoiser> make_denoiser(const DenoiserConfig& config, const Weights& weights,
                                              Attention kernel) {
  return std::visit([&](const auto& kind) { return make(kind, weights, kernel); }, config);
}

std::vector<AttentionLevel> attention_levels(const DenoiserConfig& config, std::int64_t height,
                                             std::int64_t width) {
  return std::visit([&](const auto& kind) { return levels_of(kind, height, width); }, config);
}

} // namespace sdbench

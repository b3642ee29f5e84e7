#include "sdbench/engine/nn/batch_norm.h"

#include <cstdint>

#include <ATen/ATen.h>

#include "sdbench/base/errors/error.h"

namespace sdbench {
namespace {

constexpr const char* kRunningMean = "running_mean";
constexpr const char* kRunningVar = "running_var";

} // namespace

BatchNorm2d::BatchNorm2d(const Weights& weights, std::int64_t channels)
    : weight_(weights.take("weight", {channels})), bias_(weights.take("bias", {channels})),
      running_mean_(weights.take(kRunningMean, {channels})),
      running_var_(weights.take(kRunningVar, {channels})) {}

at::Tensor BatchNorm2d::operator()(const at::Tensor& x, Mode mode) const {
  constexpr double kMomentum = 0.1;
  const bool trains = mode == Mode::kTrain;
  if (trains && x.numel() == x.size(1)) {
    throw Error("batch norm in training must see more than one value of each channel, but sees one "
                "(an image of 1x1 pixels, alone in its batch); take a larger batch or image");
  }
  return at::batch_norm(x, weight_, bias_, running_mean_, running_var_, trains, kMomentum,
                        kBatchNormEps, at::globalContext().userEnabledCuDNN());
}

bool is_running_statistic(std::string_view name) {
  return name.ends_with(kRunningMean) || name.ends_with(kRunningVar);
}

} // namespace sdbench

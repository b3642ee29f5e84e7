#include "sdbench/engine/training/loss_scaler.h"

#include <cstdint>
#include <map>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

namespace sdbench {
namespace {

constexpr double kFirstScale = 65536;
constexpr double kGrowth = 2;
constexpr double kBackoff = 0.5;
constexpr std::int64_t kGrowthInterval = 2000;

} // namespace

LossScaler::LossScaler(at::Device device)
    : scale_(at::full({1}, kFirstScale, at::device(device).dtype(at::kFloat))),
      growth_(at::zeros({1}, at::device(device).dtype(at::kInt))),
      found_inf_(at::zeros({1}, at::device(device).dtype(at::kFloat))) {}

at::Tensor LossScaler::scaled(const at::Tensor& loss) const {
  return loss * scale_[0];
}

bool LossScaler::unscale(const std::vector<NamedTensor>& parameters) {
  const at::NoGradGuard no_gradients;
  found_inf_.zero_();
  const at::Tensor inverse = scale_.to(at::kDouble).reciprocal().to(at::kFloat);
  std::map<at::ScalarType, std::vector<at::Tensor>> gradients; // the operator takes only one dtype
  for (const NamedTensor& parameter : parameters) {
    if (const at::Tensor& gradient = parameter.tensor.grad(); gradient.defined()) {
      gradients[gradient.scalar_type()].push_back(gradient);
    }
  }
  for (auto& [dtype, of_dtype] : gradients) {
    at::_amp_foreach_non_finite_check_and_unscale_(of_dtype, found_inf_, inverse);
  }
  return found_inf_.item<float>() == 0;
}

bool LossScaler::step(Sgd& optimizer) {
  const bool are_finite = unscale(optimizer.parameters());
  if (are_finite) {
    optimizer.step();
  }
  at::_amp_update_scale_(scale_, growth_, found_inf_, kGrowth, kBackoff, kGrowthInterval);
  return are_finite;
}

double LossScaler::scale() const {
  return scale_.item<float>();
}

} // namespace sdbench

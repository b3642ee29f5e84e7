#include "sdbench/engine/training/loss_scaler.h"

#include <limits>
#include <vector>

#include <ATen/ATen.h>

#include "catch.h"

using namespace sdbench;

namespace {

/// Parameters of zero in fp32 and fp16 whose gradients are these.
std::vector<NamedTensor> with_gradients(float in_fp32, float in_fp16) {
  std::vector<NamedTensor> parameters;
  for (const at::ScalarType dtype : {at::kFloat, at::kHalf}) {
    at::Tensor tensor = at::zeros({3}, dtype);
    tensor.set_requires_grad(true);
    tensor.mutable_grad() = at::full({3}, dtype == at::kFloat ? in_fp32 : in_fp16, dtype);
    parameters.push_back({"p", tensor});
  }
  return parameters;
}

bool step_with(LossScaler& scaler, float in_fp32, float in_fp16) {
  Sgd sgd(with_gradients(in_fp32, in_fp16), 1, 0);
  return scaler.step(sgd);
}

constexpr float kInfinite = std::numeric_limits<float>::infinity();
constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();

} // namespace

TEST_CASE("the loss scale begins at 2^16, and a step is by gradients divided by it") {
  LossScaler scaler(at::kCPU);
  CHECK(scaler.scale() == 65536);
  CHECK(scaler.scaled(at::full({}, 0.5F)).item<float>() == 32768);
  const std::vector<NamedTensor> parameters = with_gradients(131072, 32768);
  Sgd sgd(parameters, 1, 0);
  CHECK(scaler.step(sgd));
  CHECK(at::equal(parameters[0].tensor.detach(), at::full({3}, -2.0F)));
  CHECK(at::equal(parameters[1].tensor.detach(), at::full({3}, -0.5F, at::kHalf)));
  CHECK(scaler.scale() == 65536);
}

TEST_CASE(
    "gradients that are not finite, of any dtype, halve the loss scale, and no step is done") {
  LossScaler scaler(at::kCPU);
  const std::vector<NamedTensor> parameters = with_gradients(1, kInfinite);
  Sgd sgd(parameters, 1, 0);
  CHECK_FALSE(scaler.step(sgd));
  CHECK(at::equal(parameters[0].tensor.detach(), at::zeros({3})));
  CHECK(scaler.scale() == 32768);
  CHECK_FALSE(step_with(scaler, kNotANumber, 1));
  CHECK(scaler.scale() == 16384);
  CHECK(step_with(scaler, 1, 1)); // what was found is forgotten
  CHECK(scaler.scale() == 16384);
}

TEST_CASE("the loss scale doubles after 2000 steps of finite gradients in a row") {
  LossScaler scaler(at::kCPU);
  Sgd sgd(with_gradients(0, 0), 1, 0);
  const auto steps = [&](int count) {
    for (int step = 0; step < count; ++step) {
      scaler.step(sgd);
    }
  };
  steps(1999);
  CHECK(scaler.scale() == 65536);
  CHECK_FALSE(step_with(scaler, kInfinite, 1)); // the count begins anew
  steps(1999);
  CHECK(scaler.scale() == 32768);
  steps(1);
  CHECK(scaler.scale() == 65536);
}

TEST_CASE("parameters without gradients have nothing to scale") {
  LossScaler scaler(at::kCPU);
  Sgd sgd({{"p", at::ones({1})}}, 1, 0);
  CHECK(scaler.step(sgd));
}

#include "sdbench/engine/training/sgd.h"

#include <vector>

#include <ATen/ATen.h>

#include "catch.h"

using namespace sdbench;

namespace {

NamedTensor parameter(float value) {
  at::Tensor tensor = at::tensor({value});
  tensor.set_requires_grad(true);
  return {"p", tensor};
}

float value_of(const NamedTensor& parameter) {
  return parameter.tensor.item<float>();
}

/// Whose gradient is `gradient`.
void backward(const NamedTensor& parameter, float gradient) {
  (parameter.tensor * gradient).sum().backward();
}

} // namespace

TEST_CASE("SGD's first step is by the gradient, later ones by what momentum has gathered") {
  const std::vector<NamedTensor> parameters{parameter(1)};
  Sgd sgd(parameters, 0.25, 0.5);
  backward(parameters[0], 2);
  sgd.step();
  CHECK(value_of(parameters[0]) == 0.5F); // 1 - 0.25 * 2
  drop_gradients(parameters);
  backward(parameters[0], 4);
  sgd.step();
  CHECK(value_of(parameters[0]) == -0.75F); // 0.5 - 0.25 * (0.5 * 2 + 4)
  drop_gradients(parameters);
  backward(parameters[0], 0);
  sgd.set_learning_rate(1);
  sgd.step();
  CHECK(value_of(parameters[0]) == -3.25F); // -0.75 - 0.5 * 5
}

TEST_CASE("dropping takes the gradients away, else they add up") {
  const std::vector<NamedTensor> parameters{parameter(1)};
  backward(parameters[0], 1);
  backward(parameters[0], 1);
  CHECK(parameters[0].tensor.grad().item<float>() == 2);
  drop_gradients(parameters);
  CHECK_FALSE(parameters[0].tensor.grad().defined());
}

TEST_CASE("a parameter without a gradient stays, and its first one may come later") {
  const std::vector<NamedTensor> parameters{parameter(1), parameter(1)};
  Sgd sgd(parameters, 1, 0.5);
  sgd.step(); // nothing to do
  backward(parameters[0], 1);
  sgd.step();
  CHECK(value_of(parameters[0]) == 0);
  CHECK(value_of(parameters[1]) == 1);
  backward(parameters[1], 0.5);
  sgd.step();
  CHECK(value_of(parameters[1]) == 0.5F);
}

TEST_CASE("autograd records no step, and what momentum gathers is no gradient's alias") {
  const std::vector<NamedTensor> parameters{parameter(1)};
  Sgd sgd(parameters, 1, 1);
  backward(parameters[0], 1);
  sgd.step();
  CHECK(parameters[0].tensor.is_leaf());
  parameters[0].tensor.grad().zero_();
  sgd.step();
  CHECK(value_of(parameters[0]) == -1); // 1 - 1 - 1: the 1 was kept
}

namespace {

std::vector<double> rates_of(std::int64_t epochs) {
  std::vector<double> rates;
  for (std::int64_t epoch = 0; epoch < epochs; ++epoch) {
    rates.push_back(epoch_learning_rate(128, epoch, epochs));
  }
  return rates;
}

} // namespace

TEST_CASE("the learning rate falls at a half and at four fifths of the epochs") {
  CHECK(rates_of(1) == std::vector<double>{0.1});
  CHECK(rates_of(2) == std::vector<double>{0.1, 0.1 / 10});
  CHECK(rates_of(5) == std::vector<double>{0.1, 0.1, 0.1, 0.1 / 10, 0.1 / 100});
  const std::vector<double> hundred = rates_of(100);
  CHECK(hundred[49] == 0.1);
  CHECK(hundred[50] == 0.1 / 10);
  CHECK(hundred[79] == 0.1 / 10);
  CHECK(hundred[80] == 0.1 / 100);
}

TEST_CASE("the learning rate is in proportion to the batch, and stays where there are no epochs") {
  CHECK(epoch_learning_rate(2048, 0, 100) == Approx(1.6));
  CHECK(epoch_learning_rate(32, 7, 0) == Approx(0.025));
}

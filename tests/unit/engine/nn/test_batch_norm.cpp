#include "sdbench/engine/nn/batch_norm.h"

#include <string>

#include <ATen/ATen.h>

#include "catch.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/engine/nn/layer_source.h"

using namespace sdbench;

namespace {

/// Weights that a test may look at again.
class Known final : public LayerSource {
public:
  at::Tensor weight = at::tensor({2.0F, 0.5F});
  at::Tensor bias = at::tensor({1.0F, -1.0F});
  at::Tensor running_mean = at::tensor({0.5F, -0.5F});
  at::Tensor running_var = at::tensor({4.0F, 9.0F});

  at::Tensor take(const std::string& name, at::IntArrayRef shape) override {
    CHECK(shape == at::IntArrayRef({2}));
    return name == "weight"         ? weight
           : name == "bias"         ? bias
           : name == "running_mean" ? running_mean
                                    : running_var;
  }
};

at::Tensor of_channels(const at::Tensor& x) {
  return x.view({1, 2, 1, 1});
}

} // namespace

TEST_CASE("batch norm in inference is by the running mean and variance, which stay") {
  Known known;
  const BatchNorm2d norm(Weights(known), 2);
  at::manual_seed(1);
  const at::Tensor x = at::randn({3, 2, 4, 5});
  const at::Tensor expected = (x - of_channels(at::tensor({0.5F, -0.5F}))) /
                                  of_channels(at::tensor({4.0F, 9.0F}) + 1e-5).sqrt() *
                                  of_channels(known.weight) +
                              of_channels(known.bias);
  CHECK(at::allclose(norm(x, Mode::kInfer), expected, 1e-5, 1e-6));
  CHECK(at::equal(known.running_mean, at::tensor({0.5F, -0.5F})));
}

TEST_CASE("batch norm in training is by the batch, and moves the running values by a tenth") {
  Known known;
  const BatchNorm2d norm(Weights(known), 2);
  at::manual_seed(1);
  const at::Tensor x = at::randn({3, 2, 4, 5}) * 3 + 2;
  const at::Tensor mean = x.mean({0, 2, 3});
  const at::Tensor expected = (x - of_channels(mean)) /
                                  of_channels(x.var({0, 2, 3}, false) + 1e-5).sqrt() *
                                  of_channels(known.weight) +
                              of_channels(known.bias);
  CHECK(at::allclose(norm(x, Mode::kTrain), expected, 1e-5, 1e-5));
  CHECK(at::allclose(known.running_mean, at::tensor({0.45F, -0.45F}) + 0.1 * mean));
  CHECK(at::allclose(known.running_var,
                     at::tensor({3.6F, 8.1F}) + 0.1 * x.var({0, 2, 3}, true))); // by n - 1
}

TEST_CASE("batch norm in training refuses a single value of a channel") {
  Known known;
  const BatchNorm2d norm(Weights(known), 2);
  CHECK_THROWS_WITH(norm(at::ones({1, 2, 1, 1}), Mode::kTrain),
                    Catch::Matchers::ContainsSubstring("must see more than one value"));
  CHECK_NOTHROW(norm(at::ones({2, 2, 1, 1}), Mode::kTrain));
  CHECK_NOTHROW(norm(at::ones({1, 2, 1, 1}), Mode::kInfer));
}

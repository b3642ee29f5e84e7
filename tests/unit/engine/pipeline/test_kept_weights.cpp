#include "catch.h"

#include <memory>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/types/component_table.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/pipeline/kept_weights.h"

using namespace sdbench;

namespace {

/// Answers with the number of times that it was asked.
struct Counting final : LayerSource {
  explicit Counting(int& asked) : asked_(asked) {}
  at::Tensor take(const std::string&, at::IntArrayRef shape) override {
    return at::full(shape, ++asked_);
  }
  void finish() override { throw Error("these are not the weights"); }
  int& asked_;
};

} // namespace

TEST_CASE("a tensor is read once, and on the host") {
  int asked = 0;
  std::vector<at::Device> devices;
  const LayerSourceFactory kept =
      keep_in_host_memory([&](Component, at::ScalarType, at::Device device) {
        devices.push_back(device);
        return std::make_unique<Counting>(asked);
      });
  const auto first = kept(Component::kUNet, at::kFloat, at::kMeta);
  CHECK(first->take("a", {2}).is_meta());
  CHECK_THROWS_WITH(first->finish(), "these are not the weights");

  const auto again = kept(Component::kUNet, at::kFloat, at::kCPU);
  CHECK(again->take("a", {2})[0].item<float>() == 1.0F);
  CHECK_NOTHROW(again->finish()); // checked when it was read
  CHECK(asked == 1);

  CHECK(kept(Component::kVae, at::kFloat, at::kCPU)->take("a", {2})[0].item<float>() == 2.0F);
  CHECK(devices == std::vector<at::Device>{at::kCPU, at::kCPU});
}

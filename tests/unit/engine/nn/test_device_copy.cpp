#include "catch.h"

#include <ATen/ATen.h>

#include "sdbench/engine/nn/device_copy.h"

using namespace sdbench;

TEST_CASE("on a CPU nothing is copied from one place to another") {
  const at::Tensor x = at::rand({2, 3});
  CHECK(to_device(x, at::kCPU).is_same(x));
  CHECK(to_host(x).is_same(x));
  CHECK(to_device(x, at::kCPU, at::kFloat).is_same(x));
  CHECK(to_device(x, at::kCPU, at::kBFloat16).scalar_type() == at::kBFloat16);
}

TEST_CASE("a copy to a device that is no GPU needs no pinned memory") {
  const at::Tensor x = to_device(at::rand({2, 3}), at::kMeta);
  CHECK(x.is_meta());
  CHECK(x.sizes() == at::IntArrayRef({2, 3}));
  const at::Tensor half = to_device(at::rand({2, 3}), at::kMeta, at::kBFloat16);
  CHECK(half.is_meta());
  CHECK(half.scalar_type() == at::kBFloat16);
}

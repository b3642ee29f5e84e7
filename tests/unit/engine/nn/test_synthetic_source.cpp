#include "catch.h"

#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "sdbench/base/files/sha256.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/engine/nn/recording_source.h"
#include "sdbench/engine/nn/scalar_type.h"
#include "sdbench/engine/nn/synthetic_source.h"

using namespace sdbench;

TEST_CASE("synthetic weights round from fp32 to half precision exactly as ATen does") {
  const auto take = [](at::ScalarType dtype) {
    return SyntheticSource(7, "unet", dtype, at::kCPU).take("mid.conv1.weight", {64, 640, 3, 3});
  };
  const at::Tensor full = take(at::kFloat);
  CHECK(at::equal(take(at::kHalf), full.to(at::kHalf)));
  CHECK(at::equal(take(at::kBFloat16), full.to(at::kBFloat16)));
  // The smallest values are subnormal in fp16, so that path is covered too.
  CHECK(full.abs().min().item<float>() < 6e-5F);
}

TEST_CASE("synthetic weights have the golden bits with this libtorch too") {
  // The digests of tests/unit/engine/nn/test_synthetic.cpp; this program is built with every
  // libtorch.
  const auto digest = [](at::ScalarType dtype) {
    const at::Tensor taken =
        SyntheticSource(0, "unet", dtype, at::kCPU).take("conv_in.weight", {320, 4, 3, 3});
    return sha256_hex({static_cast<const char*>(taken.data_ptr()), taken.nbytes()}).substr(0, 16);
  };
  CHECK(digest(at::kFloat) == "01c12f9611f47a80");
  CHECK(digest(at::kHalf) == "bea6748189b3fb51");
  CHECK(digest(at::kBFloat16) == "c152dd2f7f355770");
}

TEST_CASE("synthetic weights do not depend on the number of threads") {
  const int before = at::get_num_threads();
  const auto take = [](int threads) {
    at::set_num_threads(threads);
    return SyntheticSource(0, "vae", at::kFloat, at::kCPU).take("a.weight", {999, 777});
  };
  const at::Tensor one = take(1);
  CHECK(at::equal(one, take(2)));
  CHECK(at::equal(one, take(7)));
  at::set_num_threads(before);
}

TEST_CASE("a recording source notes names and shapes and holds no memory") {
  RecordingSource source(at::kHalf);
  const at::Tensor large = (Weights(source) / "unet").take("weight", {1 << 20, 1 << 20});
  CHECK(large.is_meta());
  static_cast<void>(source.take("bias", {3}));
  REQUIRE(source.tensors().size() == 2);
  CHECK(source.tensors()[0].name == "unet.weight");
  CHECK(source.tensors()[0].dtype == Dtype::kF16);
  CHECK(source.tensors()[1].shape == std::vector<std::int64_t>{3});
}

TEST_CASE("every dtype of weights has its ATen type and back") {
  for (const Dtype dtype : {Dtype::kF64, Dtype::kF32, Dtype::kF16, Dtype::kBF16, Dtype::kI64,
                            Dtype::kI32, Dtype::kI16, Dtype::kI8, Dtype::kU8, Dtype::kBool}) {
    CHECK(to_dtype(to_scalar_type(dtype)) == dtype);
    CHECK(c10::elementSize(to_scalar_type(dtype)) == size_of(dtype));
  }
}

#include "catch.h"

#include <cstdint>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <c10/util/Exception.h>

#include "sdbench/engine/nn/attention_trial.h"
#include "sdbench/engine/nn/sdp_backend.h"

using namespace sdbench;

namespace {

// What is given up stays so in this process: each test has heads of a width of its own.
at::Tensor queries(std::int64_t width) {
  return at::randn({1, 2, 6, width});
}

} // namespace

TEST_CASE("a kernel that computes is kept, without a word") {
  const at::Tensor q = queries(24);
  int attempts = 0;
  const auto count = [&](auto&&...) { ++attempts; };
  CHECK(settle_attention(q, q, q, {}, count).empty());
  CHECK(attempts == 1);
  for (const Attention ours : {Attention::kMath, Attention::kSliced, Attention::kBlocked}) {
    CHECK(settle_attention(q, q, q, {.kernel = ours}, count).empty());
  }
  CHECK(attempts == 1); // plain products, which cannot lack a plan
  CHECK(libtorch_kernel(q, q, q, {}) == at::SDPBackend::flash_attention);
}

TEST_CASE("a kernel that fails is given up for heads so wide, and the answer stays right") {
  at::manual_seed(5);
  const at::Tensor q = queries(104);
  const at::Tensor before = attend(q, q, q, {});
  int attempts = 0;
  const auto fail = [&](auto&&...) {
    ++attempts;
    TORCH_CHECK(false, "cuDNN Frontend error: No valid execution plans built.");
  };
  const std::vector<std::string> lines = settle_attention(q, q, q, {}, fail);
  REQUIRE(lines.size() == 1);
  CHECK_THAT(lines[0],
             Catch::Matchers::StartsWith("flash attention does not work for heads 104 wide: cuDNN "
                                         "Frontend error: No valid execution plans built.") &&
                 Catch::Matchers::EndsWith("; math instead"));
  CHECK(attempts == 1);
  CHECK(settle_attention(q, q, q, {}, fail) == lines); // the process's next cell says so, too
  const AttendOptions flash{.kernel = Attention::kFlash};
  CHECK(settle_attention(q, q, q, flash, fail) == lines);
  const AttendOptions another{.kernel = Attention::kEfficient};
  CHECK(settle_attention(q, q, q, another, fail).empty()); // and one that asks for another does not
  CHECK(attempts == 1);
  CHECK(libtorch_kernel(q, q, q, {}) == at::SDPBackend::math);
  CHECK(attention_instead(q, Attention::kFlash) == "math");
  CHECK((attend(q, q, q, {}) - before).abs().max().item<float>() < 1e-5F);
  CHECK(at::globalContext().userEnabledFlashSDP()); // for others it is there
  const at::Tensor other = queries(48);
  CHECK(libtorch_kernel(other, other, other, {}) == at::SDPBackend::flash_attention);
}

TEST_CASE("a kernel that fails for causal attention still computes the other") {
  const at::Tensor q = queries(72);
  const auto fail = [](auto&&...) { TORCH_CHECK(false, "No valid execution plans built."); };
  CHECK(settle_attention(q, q, q, {.causal = true}, fail).size() == 1);
  CHECK(libtorch_kernel(q, q, q, {.causal = true}) == at::SDPBackend::math);
  CHECK(libtorch_kernel(q, q, q, {}) == at::SDPBackend::flash_attention);
}

TEST_CASE("want of memory is no reason to take another kernel") {
  const at::Tensor q = queries(56);
  const auto fail = [](auto&&...) {
    TORCH_CHECK_WITH(OutOfMemoryError, false, "CUDA out of memory.");
  };
  CHECK_THROWS_AS(settle_attention(q, q, q, {}, fail), c10::OutOfMemoryError);
  const auto fail_in_a_library = [](auto&&...) {
    TORCH_CHECK(false, "CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling cublasCreate(handle)");
  };
  CHECK_THROWS_AS(settle_attention(q, q, q, {}, fail_in_a_library), c10::Error);
  const auto fail_in_a_handle = [](auto&&...) {
    TORCH_CHECK(false, "cuDNN error: CUDNN_STATUS_NOT_INITIALIZED");
  };
  const auto few_bytes = [] { return std::int64_t{100} << 20; };
  CHECK_THROWS_AS(settle_attention(q, q, q, {}, fail_in_a_handle, few_bytes), c10::Error);
  CHECK(libtorch_kernel(q, q, q, {}) == at::SDPBackend::flash_attention);
  const auto many_bytes = [] { return std::int64_t{8} << 30; };
  CHECK(settle_attention(q, q, q, {}, fail_in_a_handle, many_bytes).size() == 1);
}

TEST_CASE("cuDNN's attention is for heads up to 128 wide until 9.22") {
  CHECK(cudnn_takes_heads(64, 90501));
  CHECK(cudnn_takes_heads(128, 91900)); // of libtorch 2.11.0
  CHECK_FALSE(cudnn_takes_heads(136, 91900));
  CHECK_FALSE(cudnn_takes_heads(160, 92199));
  CHECK(cudnn_takes_heads(160, 92200));
}

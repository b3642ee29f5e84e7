#include "sdbench/engine/nn/blocked_attention.h"

#include <cmath>
#include <cstdint>
#include <utility>

#include <ATen/ATen.h>

#include "catch.h"
#include "sdbench/engine/nn/attention.h"
#include "sdbench/engine/nn/attention_kernel.h"
#include "sdbench/engine/worker/cuda_facts.h"

using namespace sdbench;

namespace {

/// The VAE's: one head, cut from a layer's result.
at::Tensor one_head(std::int64_t batch, std::int64_t tokens, std::int64_t width) {
  return split_heads(at::randn({batch, tokens, width}), 1);
}

/// Largest difference from libtorch's attention of matrix products, in fp32, of the same inputs.
double error_of(const at::Tensor& got, const at::Tensor& q, const at::Tensor& k,
                const at::Tensor& v) {
  const at::Tensor wanted =
      attend(q.to(at::kFloat), k.to(at::kFloat), v.to(at::kFloat), {.kernel = Attention::kMath});
  CHECK(got.sizes() == wanted.sizes());
  return (got.to(at::kFloat) - wanted).abs().max().item<double>();
}

/// Queries and keys with scores like those of SDXL's VAE: one head, the largest scores about 20.
struct WideHead {
  explicit WideHead(at::ScalarType dtype)
      : q((at::randn({1, 64, 512}) * 5).to(dtype)),
        k(at::randn({1, 1024, 512}).to(dtype).transpose(1, 2)) {}

  at::Tensor q;
  at::Tensor k;
  double scale = 1 / std::sqrt(512.0);

  /// Largest difference of softmax weights from those in fp64 of the same queries and keys.
  [[nodiscard]] double error(const at::Tensor& weights) const {
    const at::Tensor scores = at::bmm(q.to(at::kDouble), k.to(at::kDouble)) * scale;
    CHECK(weights.scalar_type() == q.scalar_type());
    return (weights.to(at::kDouble) - scores.softmax(-1)).abs().max().item<double>();
  }
};

} // namespace

TEST_CASE(
    "blocks of queries give the attention of all of them, whether they come out even or not") {
  at::manual_seed(5);
  constexpr std::int64_t kTokens = 24;
  const at::Tensor q = one_head(2, kTokens, 64);
  const at::Tensor k = one_head(2, kTokens, 64);
  const at::Tensor v = one_head(2, kTokens, 64);
  // One block, blocks that divide 24 queries, blocks that do not, single queries, less than one.
  for (const std::int64_t queries : {100, 24, 8, 7, 5, 1, 0}) {
    CAPTURE(queries);
    CHECK(error_of(blocked_attention(q, k, v, queries * 2 * kTokens), q, k, v) < 1e-6);
  }
}

TEST_CASE("blocked attention is right with many heads, other keys, and in 16 bits") {
  at::manual_seed(6);
  const at::Tensor q = at::randn({2, 3, 10, 16});
  const at::Tensor k = at::randn({2, 3, 7, 16});
  const at::Tensor v = at::randn({2, 3, 7, 16});
  CHECK(error_of(blocked_attention(q, k, v, 4 * 6 * 7), q, k, v) < 1e-6);
  // Answers are about 1; weights and answers are rounded, to 8 or 11 bits.
  for (const auto& [dtype, bound] :
       {std::pair(at::kBFloat16, 2.0 / 256), std::pair(at::kHalf, 2.0 / 2048)}) {
    CAPTURE(c10::toString(dtype));
    const at::Tensor q16 = one_head(1, 64, 512).to(dtype);
    const at::Tensor k16 = one_head(1, 64, 512).to(dtype);
    const at::Tensor v16 = one_head(1, 64, 512).to(dtype);
    const at::Tensor got = blocked_attention(q16, k16, v16, 17 * 64);
    CHECK(got.scalar_type() == dtype);
    CHECK(error_of(got, q16, k16, v16) < bound);
  }
}

TEST_CASE("weights of large scores are as exact as their dtype, unlike those of rounded scores") {
  at::manual_seed(7);
  // Half a unit in the last place of a weight between a half and 1.
  for (const auto& [dtype, rounding] :
       {std::pair(at::kBFloat16, 1.0 / 512), std::pair(at::kHalf, 1.0 / 4096)}) {
    CAPTURE(c10::toString(dtype));
    const WideHead head(dtype);
    const at::Tensor unused = at::empty({1}, head.q.options()); // beta = 0: never read
    const double wide = head.error(weights_of_wide_scores(head.q, head.k, head.scale));
    const double shifted = head.error(weights_of_shifted_scores(head.q, head.k, head.scale));
    const double rounded =
        head.error(at::baddbmm(unused, head.q, head.k, 0, head.scale).softmax(-1));
    CAPTURE(wide, shifted, rounded);
    CHECK(wide < 1.2 * rounding);
    CHECK(shifted < 3 * rounding); // scores that are close to the largest are rounded, too
    CHECK(rounded > 2 * shifted);
    CHECK(rounded > 2 * wide);
  }
}

TEST_CASE("both forms of the weights agree in fp32") {
  at::manual_seed(8);
  const WideHead head(at::kFloat);
  CHECK(head.error(weights_of_wide_scores(head.q, head.k, head.scale)) < 1e-4);
  CHECK(head.error(weights_of_shifted_scores(head.q, head.k, head.scale)) < 1e-4);
}

TEST_CASE("libtorch widens no product of fp16 while cuBLAS sums in fp16") {
  const bool widens = can_widen_products(at::kHalf);
  at::globalContext().setAllowFP16AccumulationCuBLAS(true);
  CHECK_FALSE(can_widen_products(at::kHalf));
  CHECK(can_widen_products(at::kBFloat16) == widens);
  at::globalContext().setAllowFP16AccumulationCuBLAS(false);
  CHECK(can_widen_products(at::kHalf) == widens);
}

TEST_CASE("scores that fp16 cannot hold do not overflow in blocks") {
  const at::Tensor q = at::full({1, 1, 4, 64}, 200.0F).to(at::kHalf); // q k^T / 8 is 320,000
  CHECK(at::equal(blocked_attention(q, q, q), q)); // all weights are equal, and so are the values
}

TEST_CASE("a GPU computes blocks like a processor, with large scores, too", "[.gpu]") {
  if (cuda_devices().empty()) {
    WARN("skipped: there is no GPU"); // ctest knows it by these words
    return;
  }
  at::manual_seed(9);
  for (const auto& [dtype, rounding] :
       {std::pair(at::kBFloat16, 1.0 / 512), std::pair(at::kHalf, 1.0 / 4096)}) {
    CAPTURE(c10::toString(dtype));
    const WideHead head(dtype);
    const at::Tensor q = head.q.to(at::kCUDA);
    const at::Tensor k = head.k.to(at::kCUDA);
    CHECK(head.error(weights_of_shifted_scores(q, k, head.scale).cpu()) < 3 * rounding);
    CHECK(head.error(weights_of_wide_scores(q, k, head.scale).cpu()) < 1.5 * rounding);
    const at::Tensor v = at::randn({1, 1, 1024, 512}).to(dtype);
    const at::Tensor heads = head.q.unsqueeze(1);
    const at::Tensor keys = head.k.transpose(1, 2).unsqueeze(1);
    const at::Tensor got =
        blocked_attention(heads.to(at::kCUDA), keys.to(at::kCUDA), v.to(at::kCUDA), 17 * 1024);
    // Weights and answers, which are below 8, are rounded.
    CHECK(error_of(got.cpu(), heads, keys, v) < 16 * rounding);
  }
}

#include "sdbench/engine/nn/blocked_attention.h"

#include <cstdint>
#include <utility>

#include <ATen/ATen.h>

#include "catch.h"
#include "sdbench/engine/nn/attention.h"
#include "sdbench/engine/nn/attention_kernel.h"

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
  // Scores are about 1, answers too; three roundings of half a unit in the last of 8 or 11 bits.
  for (const auto& [dtype, bound] :
       {std::pair(at::kBFloat16, 3.0 / 256), std::pair(at::kHalf, 3.0 / 2048)}) {
    CAPTURE(c10::toString(dtype));
    const at::Tensor q16 = one_head(1, 64, 512).to(dtype);
    const at::Tensor k16 = one_head(1, 64, 512).to(dtype);
    const at::Tensor v16 = one_head(1, 64, 512).to(dtype);
    const at::Tensor got = blocked_attention(q16, k16, v16, 17 * 64);
    CHECK(got.scalar_type() == dtype);
    CHECK(error_of(got, q16, k16, v16) < bound);
  }
}

TEST_CASE("the kernel of blocks has a name, by which nobody can ask for it") {
  const at::Tensor q = one_head(1, 6, 8);
  CHECK(at::equal(attend(q, q, q, {.kernel = Attention::kBlocked}), blocked_attention(q, q, q)));
  CHECK(name_of(Attention::kBlocked) == "blocked");
  CHECK(attention_instead(q, Attention::kBlocked) == "blocked");
  CHECK_FALSE(attention_from_name("blocked").has_value());
}

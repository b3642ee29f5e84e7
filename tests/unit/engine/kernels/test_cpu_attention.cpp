#include "catch.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "kinds.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/engine/kernels/cpu_attention.h"

using namespace sdbench;

namespace {

struct Heads {
  at::Tensor q, k, v;
};

struct Shape {
  std::int64_t images, heads, queries, keys, width;
};

/// As projections leave them: the heads of a token side by side.
Heads random_heads(const Shape& s, at::ScalarType dtype) {
  at::manual_seed(5);
  const auto make = [&](std::int64_t tokens) {
    return at::randn({s.images, tokens, s.heads, s.width}).to(dtype).transpose(1, 2);
  };
  return {make(s.queries), make(s.keys), make(s.keys)};
}

at::Tensor by_math(const Heads& h) {
  const at::Tensor q = h.q.to(at::kDouble) / std::sqrt(static_cast<double>(h.q.size(-1)));
  const at::Tensor scores = at::matmul(q, h.k.to(at::kDouble).transpose(-1, -2));
  return at::matmul(scores.softmax(-1), h.v.to(at::kDouble));
}

/// Largest difference as a share of the largest value.
double error_of(const at::Tensor& got, const at::Tensor& wanted) {
  return ((got.to(at::kDouble) - wanted).abs().max() / wanted.abs().max()).item<double>();
}

/// bf16: one rounding of the result. fp32: 16 last bits, for sums of hundreds of roundings.
double tolerance(at::ScalarType dtype) {
  return dtype == at::kFloat ? 2e-6 : 1.0 / 256;
}

} // namespace

TEST_CASE("attention of our own computes softmax(q k^T / sqrt(D)) v in any shape") {
  for (const auto& [instructions, dtype] : kinds()) {
    // One of each; the prompt's 77 tokens; every width of SD 1.5, SDXL and the VAE; numbers that
    // are no multiple of a vector, a tile, a block of keys or a task's queries.
    for (const Shape& s :
         {Shape{1, 1, 1, 1, 1}, Shape{1, 1, 3, 2, 8}, Shape{2, 3, 100, 77, 40},
          Shape{1, 2, 33, 300, 80}, Shape{2, 2, 129, 513, 160}, Shape{1, 1, 64, 600, 512},
          Shape{1, 5, 257, 256, 64}, Shape{1, 2, 31, 17, 5}, Shape{3, 1, 128, 255, 33},
          Shape{1, 1, 5, 769, 16}, Shape{1, 1, 32, 16, 96}, Shape{1, 1, 16, 128, 97},
          Shape{1, 1, 48, 129, 192}, Shape{1, 1, 80, 120, 24}, Shape{1, 1, 32, 136, 104},
          Shape{1, 1, 49, 140, 33}, Shape{2, 1, 65, 8, 9}, Shape{1, 1, 145, 130, 512}}) {
      CAPTURE(name_of(instructions), s.images, s.heads, s.queries, s.keys, s.width);
      const Heads h = random_heads(s, dtype);
      const at::Tensor got = cpu_attention(h.q, h.k, h.v, instructions);
      CHECK(got.scalar_type() == dtype);
      CHECK(got.sizes() == h.q.sizes());
      CHECK(error_of(got, by_math(h)) < tolerance(dtype));
      CHECK(got.transpose(1, 2).is_contiguous()); // so that heads are joined without a copy
    }
  }
}

TEST_CASE("the error of attention of our own is of libtorch's size") {
  for (const auto& [instructions, dtype] : kinds()) {
    // The second: an image of 1024x1024, whose keys come in very many blocks.
    for (const Shape& s : {Shape{2, 4, 256, 1024, 64}, Shape{1, 1, 48, 16384, 40}}) {
      CAPTURE(name_of(instructions), s.keys);
      const Heads h = random_heads(s, dtype);
      const at::Tensor wanted = by_math(h);
      const at::Tensor ours = cpu_attention(h.q, h.k, h.v, instructions).to(at::kDouble);
      const at::Tensor theirs = at::scaled_dot_product_attention(h.q, h.k, h.v).to(at::kDouble);
      const double our_error = (ours - wanted).square().mean().sqrt().item<double>();
      CHECK(our_error < 2 * (theirs - wanted).square().mean().sqrt().item<double>());
    }
  }
}

TEST_CASE("attention of our own takes any strides") {
  for (const auto& [instructions, dtype] : kinds()) {
    const Heads h = random_heads({2, 3, 20, 30, 40}, dtype);
    const at::Tensor wanted = cpu_attention(h.q, h.k, h.v, instructions);
    const at::Tensor turned = h.k.transpose(2, 3).contiguous().transpose(2, 3); // D not dense
    CHECK(
        at::equal(cpu_attention(h.q.contiguous(), turned, h.v.contiguous(), instructions), wanted));
    const at::Tensor one = h.k.slice(0, 0, 1);
    const at::Tensor expanded = one.expand({2, 3, 30, 40}); // an image's keys for all, stride 0
    CHECK(at::equal(cpu_attention(h.q, expanded, h.v, instructions),
                    cpu_attention(h.q, expanded.contiguous(), h.v, instructions)));
    const at::Tensor wide = at::cat({h.q, h.q}, -1).slice(-1, 0, 40); // rows apart
    CHECK(at::equal(cpu_attention(wide, h.k, h.v, instructions), wanted));
  }
}

TEST_CASE("scores far apart, and largest ones that come last, lose nothing") {
  for (const auto& [instructions, dtype] : kinds()) {
    Heads h = random_heads({1, 1, 40, 700, 16}, dtype);
    h.k.mul_(at::linspace(0.01, 60, 700).view({1, 1, 700, 1})); // each block's are larger
    CHECK(error_of(cpu_attention(h.q, h.k, h.v, instructions), by_math(h)) < 4 * tolerance(dtype));
    h.q.fill_(1e4);
    h.k.zero_();
    h.k.slice(2, 699, 700).fill_(1); // which has all the weight then
    const at::Tensor last = h.v.slice(2, 699, 700).expand({1, 1, 40, 16});
    CHECK(error_of(cpu_attention(h.q, h.k, h.v, instructions), last.to(at::kDouble)) <
          tolerance(dtype));
  }
}

TEST_CASE("scores that grow a little from block to block, or are all far from zero, lose nothing") {
  for (const auto& [instructions, dtype] : kinds()) {
    // What makes the scores are the first and the last number of 112, which go in two slices: from
    // the first key to the last, scores as powers of two grow by 3, by 11 and by 87. 1001 keys: the
    // last step's rows are padded.
    Heads h = random_heads({1, 1, 40, 1001, 112}, dtype);
    h.q.zero_();
    h.k.select(3, 111).copy_(at::linspace(-10, 10, 1001));
    h.k.select(3, 0).fill_(1);
    for (const double far : {0.0, 40.0, 1200.0, -40.0, -1200.0, -3200.0}) {
      h.q.select(3, 0).fill_(far);
      for (const double slope : {1.0, 4.0, 32.0}) {
        CAPTURE(name_of(instructions), far, slope);
        h.q.select(3, 111).fill_(slope);
        const at::Tensor got = cpu_attention(h.q, h.k, h.v, instructions);
        const bool few_bits = dtype == at::kFloat && std::abs(far) > 1000; // left in such a score
        CHECK(error_of(got, by_math(h)) < (few_bits ? 16 : 4) * tolerance(dtype));
      }
    }
  }
}

TEST_CASE(
    "keys far below the others lose them no bit, nor a query that sees others than its neighbour") {
  for (const auto& [instructions, dtype] : kinds()) {
    CAPTURE(name_of(instructions));
    Heads h = random_heads({1, 1, 40, 600, 40}, dtype);
    const at::Tensor before = cpu_attention(h.q, h.k, h.v, instructions);
    h.k.slice(2, 0, 128).select(3, 0).fill_(-1e4); // scores of thousands below zero, or above
    h.q.select(3, 0).fill_(4);
    CHECK(error_of(cpu_attention(h.q, h.k, h.v, instructions), by_math(h)) < tolerance(dtype));
    // Query 3 alone sees keys that rise in each block.
    h = random_heads({1, 1, 40, 600, 40}, dtype);
    h.q.select(2, 3).copy_(h.k.select(2, 599) * 20);
    const at::Tensor got = cpu_attention(h.q, h.k, h.v, instructions);
    for (const auto& [first, end] : {std::pair{0, 3}, std::pair{4, 40}}) {
      CHECK(at::equal(got.slice(2, first, end), before.slice(2, first, end)));
    }
  }
}

TEST_CASE("what is not a number stays with the queries that see it") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const auto& [instructions, dtype] : kinds()) {
    const Heads h = random_heads({1, 2, 50, 300, 40}, dtype);
    const at::Tensor clean = cpu_attention(h.q, h.k, h.v, instructions);
    h.q.select(2, 7).select(1, 1).fill_(nan); // query 7 of head 1
    const at::Tensor got = cpu_attention(h.q, h.k, h.v, instructions);
    CHECK(got.select(1, 1).select(1, 7).isnan().all().item<bool>());
    CHECK(got.isnan().sum().item<std::int64_t>() == 40);
    CHECK(at::equal(got.select(1, 0), clean.select(1, 0)));
    for (const auto& [first, end] : {std::pair{0, 7}, std::pair{8, 50}}) { // its neighbours
      CHECK(at::equal(got.select(1, 1).slice(1, first, end),
                      clean.select(1, 1).slice(1, first, end)));
    }
    for (const std::int64_t key : {0, 299}) { // of head 0, in the first block or the last
      Heads other{h.q, h.k.clone(), h.v};
      other.k.select(2, key).select(1, 0).fill_(nan);
      CHECK(cpu_attention(other.q, other.k, other.v, instructions)
                .select(1, 0)
                .isnan()
                .all()
                .item<bool>());
    }
  }
}

TEST_CASE("keys that score minus infinity have no weight, whichever block they are in") {
  // In fp32, whose scores of -1e30 * 1e30 overflow.
  Heads h = random_heads({1, 1, 4, 600, 16}, at::kFloat);
  h.q.fill_(1e30F);
  h.k.zero_();
  h.k.slice(2, 0, 300).fill_(-1e30F); // the first block, and part of the second
  h.q.slice(2, 2, 4).neg_(); // for two queries they score +infinity, which is no number in the end
  const at::Tensor mean = h.v.slice(2, 300, 600).mean(2, true).expand({1, 1, 2, 16});
  for (const CpuInstructions instructions : fp32_instructions()) {
    CAPTURE(name_of(instructions));
    const at::Tensor got = cpu_attention(h.q, h.k, h.v, instructions);
    CHECK((got.slice(2, 0, 2) - mean).abs().max().item<float>() < 1e-5F);
    CHECK(got.slice(2, 2, 4).isnan().all().item<bool>());
  }
  h.k.slice(2, 300, 600).fill_(-8e-29F); // -500 or so as a power of two, and yet the largest
  for (const CpuInstructions instructions : fp32_instructions()) {
    CAPTURE(name_of(instructions));
    const at::Tensor got = cpu_attention(h.q, h.k, h.v, instructions);
    CHECK((got.slice(2, 0, 2) - mean).abs().max().item<float>() < 1e-5F);
  }
}

TEST_CASE("the number of threads changes no bit of attention") {
  const int before = at::get_num_threads();
  for (const auto& [instructions, dtype] : kinds()) {
    const Heads h = random_heads({1, 3, 900, 300, 40}, dtype);
    at::set_num_threads(1);
    const at::Tensor alone = cpu_attention(h.q, h.k, h.v, instructions);
    for (const int threads : {3, 4}) { // a head each, and parts that begin within one
      at::set_num_threads(threads);
      CHECK(at::equal(cpu_attention(h.q, h.k, h.v, instructions), alone));
    }
  }
  at::set_num_threads(before);
}

TEST_CASE("instructions are chosen by dtype, and only what the processor has") {
  const CpuFeatures none;
  const CpuFeatures avx2{.avx2 = true};
  const CpuFeatures avx512{.avx2 = true, .avx512 = true};
  const CpuFeatures bf16{.avx2 = true, .avx512 = true, .avx512_bf16 = true};
  const CpuFeatures all{.avx2 = true, .avx512 = true, .avx512_bf16 = true, .amx = true};
  for (const at::ScalarType dtype : {at::kFloat, at::kBFloat16, at::kHalf}) {
    CHECK_FALSE(cpu_instructions(dtype, none).has_value());
  }
  CHECK(name_of(cpu_instructions(at::kFloat, avx2).value()) == "avx2");
  CHECK_FALSE(cpu_instructions(at::kBFloat16, avx2).has_value());
  CHECK(name_of(cpu_instructions(at::kFloat, avx512).value()) == "avx512");
  CHECK_FALSE(cpu_instructions(at::kBFloat16, avx512).has_value());
  CHECK(name_of(cpu_instructions(at::kBFloat16, bf16).value()) == "avx512_bf16");
  CHECK(name_of(cpu_instructions(at::kBFloat16, all).value()) == "amx");
  CHECK(name_of(cpu_instructions(at::kFloat, all).value()) == "avx512");
  CHECK_FALSE(cpu_instructions(at::kHalf, all).has_value());
}

TEST_CASE("attention of our own refuses a dtype that its instructions are not for") {
  const Heads half = random_heads({1, 1, 4, 4, 8}, at::kHalf);
  CHECK_THROWS_WITH(cpu_attention(half.q, half.k, half.v, CpuInstructions::kAmx),
                    "attention in amx must be given BFloat16, but is given Half, Half and Half; "
                    "use --attention flash");
  const at::Tensor single = half.v.to(at::kFloat);
  CHECK_THROWS_WITH(cpu_attention(single, single, half.v, CpuInstructions::kAvx512),
                    "attention in avx512 must be given Float, but is given Float, Float and Half; "
                    "use --attention flash");
}

TEST_CASE("attention of our own refuses shapes that do not belong together") {
  for (const auto& [instructions, dtype] : kinds()) {
    const Heads h = random_heads({2, 3, 8, 9, 40}, dtype);
    const auto attend_to = [&, kind = instructions](const at::Tensor& k, const at::Tensor& v) {
      return cpu_attention(h.q, k, v, kind);
    };
    CHECK_THROWS_WITH(attend_to(h.k.narrow(0, 0, 1), h.v),
                      Catch::Matchers::ContainsSubstring("dimension 0 is 2, 1 and 2"));
    CHECK_THROWS_WITH(attend_to(h.k, h.v.narrow(1, 0, 2)),
                      Catch::Matchers::ContainsSubstring("dimension 1 is 3, 3 and 2"));
    CHECK_THROWS_WITH(attend_to(h.k.narrow(3, 0, 32), h.v),
                      Catch::Matchers::ContainsSubstring("dimension 3 is 40, 32 and 40"));
    CHECK_THROWS_WITH(attend_to(h.k, h.v.narrow(2, 0, 8)),
                      Catch::Matchers::ContainsSubstring("9 keys and 8 values"));
  }
}

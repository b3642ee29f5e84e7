#include "catch.h"

#include <cstdint>

#include <ATen/ATen.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/engine/kernels/cpu_instructions.h"
#include "sdbench/engine/nn/attention_kernel.h"
#include "sdbench/engine/nn/blocked_attention.h"

using namespace sdbench;

namespace {

struct Inputs {
  at::Tensor q = at::randn({2, 5, 24, 16});
  at::Tensor k = at::randn({2, 5, 7, 16});
  at::Tensor v = at::randn({2, 5, 7, 16});
};

at::Tensor by_definition(const Inputs& in) {
  const at::Tensor q = in.q.to(at::kDouble);
  const at::Tensor scores = at::matmul(q, in.k.to(at::kDouble).transpose(-1, -2)) / 4.0;
  return at::matmul(scores.softmax(-1), in.v.to(at::kDouble)).to(at::kFloat);
}

} // namespace

TEST_CASE("every kernel computes softmax(q k^T / sqrt(D)) v") {
  at::manual_seed(1);
  const Inputs in;
  const at::Tensor wanted = by_definition(in);
  for (const Attention kernel :
       {Attention::kAuto, Attention::kMath, Attention::kSliced, Attention::kFlash,
        Attention::kEfficient, Attention::kCudnn, Attention::kOwn}) {
    CAPTURE(std::string(name_of(kernel)));
    const at::Tensor got = attend(in.q, in.k, in.v, {.kernel = kernel});
    CHECK(got.sizes() == wanted.sizes());
    CHECK((got - wanted).abs().max().item<float>() < 1e-5F);
  }
}

TEST_CASE("slices take half the heads, and a last slice the rest") {
  at::manual_seed(2);
  for (const std::int64_t heads : {1, 2, 3, 8}) {
    const at::Tensor q = at::randn({3, heads, 6, 8});
    const at::Tensor difference = attend(q, q, q, {.kernel = Attention::kSliced}) -
                                  attend(q, q, q, {.kernel = Attention::kMath});
    CHECK(difference.abs().max().item<float>() < 1e-5F);
  }
}

TEST_CASE("slices may take their scores in fp32 where half precision would overflow") {
  const at::Tensor q = at::full({1, 2, 4, 64}, 200.0F).to(at::kHalf); // q k^T / 8 is 320,000
  const AttendOptions plain{.kernel = Attention::kSliced};
  const AttendOptions upcast{.kernel = Attention::kSliced, .upcast_scores = true};
  CHECK_FALSE(attend(q, q, q, plain).isfinite().all().item<bool>());
  const at::Tensor out = attend(q, q, q, upcast);
  CHECK(out.scalar_type() == at::kHalf);
  CHECK(at::equal(out, q)); // all weights are equal, and so are the values
}

TEST_CASE("causal attention does not look ahead") {
  at::manual_seed(3);
  const at::Tensor q = at::randn({1, 2, 6, 8});
  at::Tensor changed = q.clone();
  changed.select(2, 5).add_(1.0); // the last token
  for (const Attention kernel : {Attention::kAuto, Attention::kMath}) {
    const at::Tensor before = attend(q, q, q, {.kernel = kernel, .causal = true});
    const at::Tensor after = attend(changed, changed, changed, {.kernel = kernel, .causal = true});
    CHECK(at::equal(before.slice(2, 0, 5), after.slice(2, 0, 5)));
    CHECK_FALSE(at::equal(before, after));
  }
}

TEST_CASE("asking for a kernel leaves libtorch's switches as they were") {
  const at::Tensor q = at::randn({1, 2, 6, 8});
  at::globalContext().setSDPUseCuDNN(false);
  const auto order = at::globalContext().sDPPriorityOrder();
  static_cast<void>(attend(q, q, q, {.kernel = Attention::kFlash}));
  CHECK(attention_instead(q, Attention::kCudnn) == "flash"); // asked first, and not possible
  CHECK(at::globalContext().sDPPriorityOrder() == order);
  CHECK(at::globalContext().userEnabledFlashSDP());
  CHECK(at::globalContext().userEnabledMemEfficientSDP());
  CHECK(at::globalContext().userEnabledMathSDP());
  CHECK_FALSE(at::globalContext().userEnabledCuDNNSDP());
  at::globalContext().setSDPUseCuDNN(true);
}

TEST_CASE("the kernel used is told by name") {
  const at::Tensor q = at::empty({1, 2, 64, 16});
  CHECK(attention_used(q, Attention::kMath) == "math");
  CHECK(attention_used(q, Attention::kSliced) == "sliced");
  CHECK(attention_used(q, Attention::kFlash) == "flash"); // libtorch has one for the CPU
  CHECK(attention_used(q, Attention::kAuto) == "flash");
}

TEST_CASE("a kernel that a shape cannot have is told by what runs instead") {
  const at::Tensor q = at::empty({1, 2, 64, 16});
  CHECK(attention_instead(q, Attention::kCudnn) == "flash");
  CHECK(attention_instead(q, Attention::kFlash) == "flash");
  CHECK(attention_instead(q, Attention::kMath) == "math");
}

TEST_CASE("a kernel that the device lacks is refused with the way out") {
  const at::Tensor q = at::empty({1, 2, 64, 16});
  for (const Attention kernel : {Attention::kEfficient, Attention::kCudnn}) {
    const std::string name(name_of(kernel));
    CHECK_THROWS_WITH(attention_used(q, kernel),
                      "--attention must be a kernel that runs on cpu in fp32 with heads 16 wide, "
                      "but is " +
                          name + "; use --attention auto");
  }
}

TEST_CASE("attention of our own is told by its instructions, or refused where there are none") {
  const at::Tensor half = at::empty({1, 2, 64, 16}, at::kHalf);
  CHECK_THROWS_WITH(attention_used(half, Attention::kOwn),
                    "--attention must be a kernel that runs on cpu in fp16 with heads 16 wide, but "
                    "is own; use --attention auto");
  const at::Tensor q = at::empty({1, 2, 64, 16});
  if (const auto instructions = cpu_instructions(at::kFloat)) {
    CHECK(attention_used(q, Attention::kOwn) == name_of(*instructions));
  } else {
    CHECK_THROWS_AS(attention_used(q, Attention::kOwn), Error);
  }
}

TEST_CASE("causal attention is libtorch's where our own is asked for") {
  at::manual_seed(4);
  const at::Tensor q = at::randn({1, 2, 6, 8});
  CHECK(at::equal(attend(q, q, q, {.kernel = Attention::kOwn, .causal = true}),
                  attend(q, q, q, {.kernel = Attention::kAuto, .causal = true})));
}

TEST_CASE("kernel names read back") {
  for (const char* name : {"auto", "math", "sliced", "efficient", "flash", "cudnn", "own"}) {
    CHECK(name_of(attention_from_name(name).value()) == name);
  }
  CHECK_FALSE(attention_from_name("xformers").has_value());
}

TEST_CASE("the kernel of blocks has a name, by which nobody can ask for it") {
  const at::Tensor q = at::randn({1, 1, 6, 8});
  CHECK(at::equal(attend(q, q, q, {.kernel = Attention::kBlocked}), blocked_attention(q, q, q)));
  CHECK(name_of(Attention::kBlocked) == "blocked");
  CHECK(attention_instead(q, Attention::kBlocked) == "blocked");
  CHECK_FALSE(attention_from_name("blocked").has_value());
}

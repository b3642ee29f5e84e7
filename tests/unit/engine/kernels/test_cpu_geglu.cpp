#include "catch.h"

#include <cstdint>
#include <limits>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "kinds.h"
#include "sdbench/engine/kernels/cpu_geglu.h"

using namespace sdbench;

namespace {

at::Tensor exact_geglu(const at::Tensor& both) {
  const std::vector<at::Tensor> halves = both.to(at::kDouble).chunk(2, -1);
  return halves[0] * at::gelu(halves[1]);
}

at::Tensor gates_and_values(std::vector<std::int64_t> sizes, at::ScalarType dtype) {
  at::manual_seed(5);
  return (at::randn(sizes) * 3).to(dtype);
}

/// GELU of `gates` by itself: values of 1.
at::Tensor gelu_of(const at::Tensor& gates, CpuInstructions instructions) {
  return cpu_geglu(at::cat({at::ones_like(gates), gates}, -1), instructions);
}

} // namespace

TEST_CASE("a GEGLU of our own computes what the formula says in any shape") {
  for (const auto& [instructions, dtype] : kinds()) {
    for (const std::vector<std::int64_t>& sizes :
         {std::vector<std::int64_t>{32}, {1, 32}, {3, 5, 96}, {2, 77, 2560}, {1000, 64}}) {
      CAPTURE(name_of(instructions), sizes);
      const at::Tensor both = gates_and_values(sizes, dtype);
      const at::Tensor got = cpu_geglu(both, instructions);
      const at::Tensor wanted = exact_geglu(both);
      CHECK(got.scalar_type() == dtype);
      CHECK(got.sizes() == wanted.sizes());
      const at::Tensor error = (got.to(at::kDouble) - wanted).abs();
      // erf to 1.5e-7 in fp32; in bf16 one rounding (1/256) of powers to 7.5e-5.
      const at::Tensor allowed =
          dtype == at::kFloat ? wanted.abs() * 1e-6 + 3e-6 : wanted.abs() / 250 + 1e-5;
      CHECK((error <= allowed).all().item<bool>());
    }
  }
}

TEST_CASE("GELU of our own is off by no more than erf's formula all along the line") {
  for (const auto& [instructions, dtype] : kinds()) {
    if (dtype != at::kFloat) {
      continue;
    }
    const at::Tensor x = at::linspace(-12, 12, 160000, at::kFloat);
    const at::Tensor error =
        (gelu_of(x, instructions).to(at::kDouble) - at::gelu(x.to(at::kDouble)));
    CHECK((error.abs() <= x.abs().to(at::kDouble) * 3e-7 + 1e-9).all().item<bool>());
  }
}

TEST_CASE("GELU of what is not a number or infinite, and of zero, is what the formula says") {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const auto& [instructions, dtype] : kinds()) {
    at::Tensor gates = at::zeros({16}, at::kFloat);
    gates[1] = nan;
    gates[2] = infinity;
    gates[3] = -infinity;
    gates[4] = 1e30;
    gates[5] = -1e30;
    const at::Tensor got = gelu_of(gates.to(dtype), instructions).to(at::kFloat);
    CHECK(got[0].item<float>() == 0);
    CHECK(got[1].isnan().item<bool>());
    CHECK(got[2].item<float>() == infinity);
    CHECK(got[3].isnan().item<bool>()); // as libtorch's: its limit, 0, would hide it
    CHECK(got[4].item<float>() > 9e29F);
    CHECK(got[5].item<float>() == 0);
    CHECK(got.isnan().sum().item<std::int64_t>() == 2);
  }
}

TEST_CASE("the number of threads changes no bit of a GEGLU") {
  const int before = at::get_num_threads();
  for (const auto& [instructions, dtype] : kinds()) {
    const at::Tensor both = gates_and_values({129, 640}, dtype);
    at::set_num_threads(1);
    const at::Tensor alone = cpu_geglu(both, instructions);
    at::set_num_threads(3);
    CHECK(at::equal(cpu_geglu(both, instructions), alone));
  }
  at::set_num_threads(before);
}

TEST_CASE("a GEGLU of our own is for dense rows of two halves by sixteens") {
  for (const auto& [instructions, dtype] : kinds()) {
    const auto numbers = [kind = dtype](std::vector<std::int64_t> sizes) {
      return at::zeros(sizes, kind);
    };
    CHECK(cpu_geglu_instructions(numbers({3, 32})) == cpu_instructions(dtype));
    CHECK_FALSE(cpu_geglu_instructions(numbers({3, 48})).has_value());
    CHECK_FALSE(cpu_geglu_instructions(numbers({0, 32})).has_value());
    CHECK_FALSE(cpu_geglu_instructions(numbers({3, 64}).narrow(1, 0, 32)).has_value());
  }
  CHECK_FALSE(cpu_geglu_instructions(at::zeros({3, 32}, at::kHalf)).has_value());
  CHECK_FALSE(cpu_geglu_instructions(at::zeros({}, at::kFloat)).has_value());
}

// The GPU kernels' arithmetic, on the host: see host_gpu.h.
#include "catch.h"

#include <cstdint>
#include <stdexcept>
#include <vector>

#include <ATen/ATen.h>

#include "host_gpu.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/engine/kernels/gpu_kernels.h"

using namespace sdbench;

namespace {

/// Kernels for tensors of the CPU, and their launches.
struct HostKernels {
  explicit HostKernels(at::ScalarType dtype, bool backwards = false)
      : launcher(std::make_shared<HostLauncher>(dtype, backwards)),
        kernels(launcher, at::kCPU, dtype) {}
  std::shared_ptr<HostLauncher> launcher;
  GpuKernels kernels;
};

constexpr at::ScalarType kDtypes[] = {at::kFloat, at::kHalf, at::kBFloat16};

/// Bound of one rounding to `dtype`, of the largest value; in fp32 of some sums.
double bound_of(at::ScalarType dtype) {
  return dtype == at::kFloat ? 4e-6 : dtype == at::kHalf ? 1.0 / 2048 : 1.0 / 256;
}

void check_near(const at::Tensor& ours, const at::Tensor& exact, at::ScalarType dtype) {
  REQUIRE(ours.scalar_type() == dtype);
  REQUIRE(ours.sizes() == exact.sizes());
  const at::Tensor difference = (ours.to(at::kDouble) - exact).abs();
  const double largest = exact.abs().max().item<double>();
  INFO("largest difference " << difference.max().item<double>() << " of " << largest);
  CHECK(difference.max().item<double>() <= bound_of(dtype) * largest);
}

at::Tensor some_image(at::IntArrayRef sizes, at::ScalarType dtype, double mean = 0.3) {
  at::manual_seed(static_cast<std::uint64_t>(sizes[1] + sizes[2]));
  return (at::randn(sizes) * 1.5 + mean).to(dtype).contiguous(at::MemoryFormat::ChannelsLast);
}

at::Tensor some(at::IntArrayRef sizes, at::ScalarType dtype) {
  at::manual_seed(static_cast<std::uint64_t>(sizes.back()));
  return at::randn(sizes).to(dtype);
}

at::Tensor in_double(const at::Tensor& x) {
  return x.to(at::kDouble);
}

} // namespace

TEST_CASE("group norm with SiLU is ATen's at the widths of the models") {
  struct Case {
    std::vector<std::int64_t> sizes;
    std::int64_t groups;
  };
  // SD 1.5 and SDXL with their skips, the VAE, the tiny models, one pixel, one group, a channel a
  // group.
  const Case cases[] = {{{2, 320, 16, 12}, 32}, {{2, 960, 9, 7}, 32},  {{1, 1280, 8, 8}, 32},
                        {{2, 1920, 5, 3}, 32},  {{1, 2560, 4, 4}, 32}, {{1, 640, 1, 1}, 32},
                        {{1, 128, 40, 40}, 32}, {{3, 512, 6, 6}, 32},  {{2, 32, 16, 16}, 32},
                        {{2, 64, 13, 11}, 8},   {{1, 96, 7, 5}, 1},    {{1, 192, 5, 5}, 32}};
  for (const at::ScalarType dtype : kDtypes) {
    const HostKernels host(dtype);
    for (const Case& one : cases) {
      for (const bool silu : {false, true}) {
        CAPTURE(dtype, one.sizes, one.groups, silu);
        const at::Tensor x = some_image(one.sizes, dtype);
        const at::Tensor weight = some({one.sizes[1]}, dtype);
        const at::Tensor bias = some({one.sizes[1]}, dtype) * 0.5;
        REQUIRE(host.kernels.takes_group_norm(x, one.groups));
        const at::Tensor ours = host.kernels.group_norm(x, weight, bias, one.groups, 1e-5, silu);
        const at::Tensor normed =
            at::group_norm(in_double(x), one.groups, in_double(weight), in_double(bias), 1e-5);
        check_near(ours, silu ? at::silu(normed) : normed, dtype);
        CHECK(ours.is_contiguous(at::MemoryFormat::ChannelsLast));
      }
    }
    CHECK(host.launcher->launched["group_norm_factors"] == 24);
    CHECK(host.launcher->launched["group_norm_apply"] == 24);
  }
}

TEST_CASE("group norm of an image plus a number for each channel is ATen's") {
  for (const at::ScalarType dtype : kDtypes) {
    const HostKernels host(dtype);
    for (const std::vector<std::int64_t>& sizes :
         {std::vector<std::int64_t>{2, 320, 8, 6}, {3, 64, 5, 7}, {2, 1280, 4, 4}}) {
      for (const std::int64_t rows : {std::int64_t{1}, sizes[0]}) {
        // As large as the image, and far larger: a group's channels then lie far apart.
        for (const double scale : {1.0, 30.0}) {
          CAPTURE(dtype, sizes, rows, scale);
          const at::Tensor x = some_image(sizes, dtype);
          const at::Tensor all = some({rows + 1, sizes[1], 1, 1}, dtype) * scale;
          const at::Tensor added = all.narrow(0, 1, rows); // as of the time cache
          const at::Tensor weight = some({sizes[1]}, dtype);
          const at::Tensor bias = some({sizes[1]}, dtype) * 0.5;
          REQUIRE(host.kernels.takes_group_norm(x, 32, added));
          const at::Tensor ours = host.kernels.group_norm(x, weight, bias, 32, 1e-5, true, added);
          check_near(ours,
                     at::silu(at::group_norm(in_double(x) + in_double(added), 32, in_double(weight),
                                             in_double(bias), 1e-5)),
                     dtype);
        }
      }
    }
  }
}

TEST_CASE("group norm keeps the spread of what is added to each channel far from zero") {
  const HostKernels host(at::kFloat);
  const at::Tensor x = some_image({2, 320, 16, 16}, at::kFloat, 1000); // spread 1.5
  const at::Tensor added = some({1, 320, 1, 1}, at::kFloat) - 500;
  const at::Tensor one = at::ones({320});
  const at::Tensor ours = host.kernels.group_norm(x, one, at::zeros({320}), 32, 1e-5, false, added);
  const at::Tensor exact =
      at::group_norm(in_double(x) + in_double(added), 32, in_double(one), {}, 1e-5);
  CHECK((ours.to(at::kDouble) - exact).abs().max().item<double>() < 1e-3);
}

TEST_CASE("a bias and a second image are added with one rounding") {
  for (const at::ScalarType dtype : kDtypes) {
    const HostKernels host(dtype);
    for (const std::vector<std::int64_t>& sizes :
         {std::vector<std::int64_t>{2, 320, 9, 7}, {1, 1280, 4, 4}, {3, 8, 1, 1}, {1, 64, 1, 5}}) {
      CAPTURE(dtype, sizes);
      const at::Tensor x = some_image(sizes, dtype);
      const at::Tensor other = some_image(sizes, dtype, -2);
      const at::Tensor bias = some({sizes[1]}, dtype);
      const auto of = [](const at::Tensor& image) { return image.to(at::kFloat); };
      const at::Tensor with_bias = of(bias).view({-1, 1, 1});
      REQUIRE(host.kernels.takes_add_bias(x, other));
      const at::Tensor both = x.clone();
      host.kernels.add_bias(both, bias, other);
      CHECK(at::equal(both, (of(x) + of(other) + with_bias).to(dtype)));
      REQUIRE(host.kernels.takes_add_bias(x, {}));
      const at::Tensor alone = x.clone();
      host.kernels.add_bias(alone, bias, {});
      CHECK(at::equal(alone, (of(x) + with_bias).to(dtype)));
    }
  }
}

TEST_CASE("group norm keeps the spread of groups that lie far from zero") {
  const HostKernels host(at::kFloat);
  const at::Tensor x = some_image({2, 320, 16, 16}, at::kFloat, 1000); // spread 1.5
  const at::Tensor one = at::ones({320});
  const at::Tensor ours = host.kernels.group_norm(x, one, at::zeros({320}), 32, 1e-5, false);
  const at::Tensor exact = at::group_norm(in_double(x), 32, at::ones({320}, at::kDouble), {}, 1e-5);
  CHECK((ours.to(at::kDouble) - exact).abs().max().item<double>() < 1e-3);
}

TEST_CASE("group norm of what hardly differs, or not at all, is held by its eps") {
  const HostKernels host(at::kFloat);
  const at::Tensor weight = some({320}, at::kFloat);
  const at::Tensor bias = some({320}, at::kFloat) * 0.5;
  for (const double spread : {0.0, 1e-3}) { // squared: less than eps
    CAPTURE(spread);
    const at::Tensor x = some_image({2, 320, 6, 6}, at::kFloat, 0) * spread + 2;
    const at::Tensor ours = host.kernels.group_norm(x, weight, bias, 32, 1e-5, false);
    const at::Tensor exact =
        at::group_norm(in_double(x), 32, in_double(weight), in_double(bias), 1e-5);
    // A factor of some hundreds times 2, in fp32; without eps it would be infinite, or a thousand.
    CHECK((ours.to(at::kDouble) - exact).abs().max().item<double>() < 2e-3);
  }
}

TEST_CASE("the order of a block's threads changes no bit, and tickets are given back") {
  const at::Tensor x = some_image({2, 320, 24, 20}, at::kHalf);
  const at::Tensor weight = some({320}, at::kHalf);
  const at::Tensor rows = some({9, 1280}, at::kHalf);
  const at::Tensor factor = some({1280}, at::kHalf);
  std::vector<at::Tensor> results;
  for (const bool backwards : {false, true}) {
    const HostKernels host(at::kHalf, backwards);
    for (int time = 0; time < 2; ++time) { // the second finds what the first left
      results.push_back(host.kernels.group_norm(x, weight, weight, 32, 1e-5, true));
    }
    results.push_back(host.kernels.layer_norm(rows, factor, factor, factor, 1e-5));
  }
  for (const std::size_t i : {1U, 3U, 4U}) {
    CHECK(at::equal(results[i], results[0]));
  }
  CHECK(at::equal(results[2], results[5]));
}

TEST_CASE("GEGLU is ATen's at the widths of the models") {
  for (const at::ScalarType dtype : kDtypes) {
    const HostKernels host(dtype);
    for (const std::int64_t inner : {1280, 2560, 5120, 128, 24}) {
      CAPTURE(dtype, inner);
      const at::Tensor both = some({2, 5, 2 * inner}, dtype) * 2;
      REQUIRE(host.kernels.takes_geglu(both));
      const std::vector<at::Tensor> halves = in_double(both).chunk(2, -1);
      check_near(host.kernels.geglu(both), halves[0] * at::gelu(halves[1]), dtype);
    }
  }
}

TEST_CASE("quick GELU is ATen's at the widths of the text encoders, far from zero, too") {
  for (const at::ScalarType dtype : kDtypes) {
    const HostKernels host(dtype);
    for (const std::int64_t width : {3072, 5120, 128, 24}) {
      for (const double scale : {1.0, 40.0}) {
        CAPTURE(dtype, width, scale);
        const at::Tensor x = some({2, 5, width}, dtype) * scale;
        REQUIRE(host.kernels.takes_quick_gelu(x));
        const at::Tensor exact = in_double(x);
        check_near(host.kernels.quick_gelu(x), exact * at::sigmoid(exact * 1.702), dtype);
      }
    }
  }
}

TEST_CASE("upsampling by two is ATen's bit for bit") {
  for (const at::ScalarType dtype : kDtypes) {
    const HostKernels host(dtype);
    // SD 1.5, SDXL and the VAE; several images, odd sizes, one pixel, the fewest channels.
    for (const std::vector<std::int64_t>& sizes : {std::vector<std::int64_t>{2, 1280, 4, 4},
                                                   {2, 640, 3, 5},
                                                   {1, 512, 6, 6},
                                                   {3, 32, 1, 7},
                                                   {1, 64, 1, 1},
                                                   {2, 8, 5, 2}}) {
      CAPTURE(dtype, sizes);
      const at::Tensor x = some_image(sizes, dtype);
      REQUIRE(host.kernels.takes_upsample(x));
      const at::Tensor y = host.kernels.upsample_twice(x);
      CHECK(at::equal(y, at::upsample_nearest2d(x, {2 * sizes[2], 2 * sizes[3]})));
      CHECK(y.is_contiguous(at::MemoryFormat::ChannelsLast));
    }
  }
}

TEST_CASE("layer norm of a sum with a known vector is ATen's at the widths of the models") {
  for (const at::ScalarType dtype : kDtypes) {
    const HostKernels host(dtype);
    for (const std::int64_t channels : {320, 640, 1280, 2048, 32, 8, 520}) {
      CAPTURE(dtype, channels);
      const at::Tensor x = some({2, 3, channels}, dtype) * 3 + 1;
      const at::Tensor addend = some({channels}, dtype) * 2;
      const at::Tensor weight = some({channels}, dtype);
      const at::Tensor bias = some({channels}, dtype) * 0.5;
      REQUIRE(host.kernels.takes_layer_norm(x));
      check_near(host.kernels.layer_norm(x, addend, weight, bias, 1e-5),
                 at::layer_norm(in_double(x) + in_double(addend), {channels}, in_double(weight),
                                in_double(bias)),
                 dtype);
    }
  }
}

TEST_CASE("a linear step with and without guidance is what its numbers say") {
  const LinearStep numbers{.guided = true,
                           .guidance = 7.5,
                           .from_output = 0.8F,
                           .from_latents = -0.1F,
                           .to_next = -1.25F,
                           .next_scale = 3.5F};
  for (const at::ScalarType dtype : kDtypes) {
    const HostKernels host(dtype);
    for (const auto format : {at::MemoryFormat::Contiguous, at::MemoryFormat::ChannelsLast}) {
      for (const bool guided : {false, true}) {
        CAPTURE(dtype, format, guided);
        const at::Tensor output = some({guided ? 4 : 2, 4, 9, 7}, dtype).contiguous(format);
        const at::Tensor latents = (some({2, 4, 9, 7}, dtype) * 5).contiguous(format);
        REQUIRE(host.kernels.takes_linear_step(output, latents, guided));
        LinearStep ours = numbers;
        ours.guided = guided;
        const auto [next, input] = host.kernels.linear_step(output, latents, ours);
        const std::vector<at::Tensor> halves = in_double(output).chunk(2);
        const at::Tensor predicted =
            guided ? halves[0] + 7.5 * (halves[1] - halves[0]) : in_double(output);
        const at::Tensor wanted =
            in_double(latents) + (static_cast<double>(0.8F) * predicted -
                                  static_cast<double>(0.1F) * in_double(latents)) *
                                     -1.25;
        check_near(next, wanted, dtype);
        check_near(input, in_double(next) / 3.5, dtype);
        CHECK(next.strides() == latents.strides());
      }
    }
  }
}

TEST_CASE("tensors that the kernels cannot take are left to ATen") {
  const HostKernels host(at::kHalf);
  const GpuKernels& kernels = host.kernels;
  CHECK_FALSE(kernels.takes_group_norm(at::zeros({1, 320, 8, 8}, at::kHalf), 32)); // contiguous
  CHECK_FALSE(kernels.takes_group_norm(some_image({1, 320, 8, 8}, at::kFloat), 32));
  CHECK_FALSE(kernels.takes_group_norm(some_image({1, 36, 8, 8}, at::kHalf), 4));    // 16 bytes
  CHECK_FALSE(kernels.takes_group_norm(some_image({1, 4104, 2, 2}, at::kHalf), 27)); // too wide
  const at::Tensor image = some_image({2, 64, 8, 8}, at::kHalf);
  const auto takes_sum = [&](const at::Tensor& added) {
    return kernels.takes_group_norm(image, 32, added);
  };
  CHECK(takes_sum(at::zeros({2, 64, 1, 1}, at::kHalf)));
  CHECK_FALSE(takes_sum(at::zeros({3, 64, 1, 1}, at::kHalf)));                      // images
  CHECK_FALSE(takes_sum(at::zeros({1, 32, 1, 1}, at::kHalf)));                      // channels
  CHECK_FALSE(takes_sum(at::zeros({1, 64, 1, 1}, at::kFloat)));                     // another dtype
  CHECK_FALSE(takes_sum(at::zeros({1, 1, 1, 1}, at::kHalf).expand({1, 64, 1, 1}))); // not in a row
  CHECK_FALSE(kernels.takes_add_bias(at::zeros({1, 64, 8, 8}, at::kHalf), {}));     // contiguous
  CHECK_FALSE(kernels.takes_add_bias(some_image({1, 36, 8, 8}, at::kHalf), {}));    // 16 bytes
  CHECK_FALSE(kernels.takes_add_bias(image, at::zeros({2, 64, 8, 8}, at::kHalf)));  // contiguous
  CHECK_FALSE(kernels.takes_add_bias(image, image.narrow(0, 0, 1)));                // another size
  CHECK_FALSE(kernels.takes_upsample(at::zeros({1, 64, 8, 8}, at::kHalf)));         // contiguous
  CHECK_FALSE(kernels.takes_upsample(some_image({1, 36, 8, 8}, at::kHalf)));        // 16 bytes
  CHECK_FALSE(kernels.takes_upsample(some_image({1, 64, 8, 8}, at::kFloat)));       // another dtype
  CHECK_FALSE(kernels.takes_upsample(at::zeros({64, 8, 8}, at::kHalf)));            // no batch
  CHECK_FALSE(kernels.takes_geglu(at::zeros({4, 36}, at::kHalf)));
  CHECK_FALSE(kernels.takes_geglu(at::zeros({32, 64}, at::kHalf).t()));
  CHECK_FALSE(kernels.takes_geglu(at::zeros({0, 64}, at::kHalf)));
  CHECK_FALSE(kernels.takes_geglu(at::zeros({65}, at::kHalf).narrow(0, 1, 64))); // odd address
  CHECK_FALSE(kernels.takes_quick_gelu(at::zeros({3, 12}, at::kHalf)));
  CHECK_FALSE(kernels.takes_quick_gelu(at::zeros({32, 64}, at::kHalf).t()));
  CHECK_FALSE(kernels.takes_quick_gelu(at::zeros({3, 64}, at::kFloat))); // another dtype
  CHECK_FALSE(kernels.takes_layer_norm(at::zeros({3, 64}, at::kFloat)));
  CHECK_FALSE(kernels.takes_layer_norm(at::zeros({64, 8}, at::kHalf).t()));
  CHECK_FALSE(kernels.takes_layer_norm(at::zeros({3, 36}, at::kHalf)));   // 16 bytes
  CHECK_FALSE(kernels.takes_layer_norm(at::zeros({1, 8192}, at::kHalf))); // too wide
  const at::Tensor latents = at::zeros({2, 4, 8, 8}, at::kHalf);
  CHECK_FALSE(kernels.takes_linear_step(latents, latents, true));
  CHECK_FALSE(kernels.takes_linear_step(latents, latents.contiguous(at::MemoryFormat::ChannelsLast),
                                        false));
  CHECK_THROWS_AS(gpu_kernels_for(at::kCPU, at::kHalf), Error);
}

TEST_CASE("threads that wait at different barriers are an error of the test's machine") {
  const auto halves_apart = [] {
    if (host_gpu::Run::current->thread().x < 16) {
      host_gpu::Run::current->other_lanes(1, 1);
    }
  };
  CHECK_THROWS_AS(host_gpu::Run({1, 1, 32}, false, halves_apart).start(), std::logic_error);
}

#include "catch.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/sha256.h"
#include "sdbench/engine/nn/synthetic.h"
#include "sdbench/engine/nn/synthetic_scale.h"

using namespace sdbench;

namespace {

using Shape = std::vector<std::int64_t>;

std::vector<std::byte> bytes_of(const std::string& name, const Shape& shape, Dtype dtype,
                                std::uint64_t seed = 0, const InParts& in_parts = in_one_part) {
  std::size_t count = 1;
  for (const std::int64_t size : shape) {
    count *= static_cast<std::size_t>(size);
  }
  std::vector<std::byte> out(count * size_of(dtype));
  fill_synthetic(seed, "unet", name, shape, dtype, out, in_parts);
  return out;
}

std::vector<float> floats_of(const std::string& name, const Shape& shape, std::uint64_t seed = 0) {
  const std::vector<std::byte> bytes = bytes_of(name, shape, Dtype::kF32, seed);
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

/// The first eight bytes of the SHA-256.
std::string digest(const std::vector<std::byte>& bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return sha256_hex(text).substr(0, 16);
}

double mean_square(const std::vector<float>& values) {
  double sum = 0;
  for (const float value : values) {
    sum += static_cast<double>(value) * value;
  }
  return sum / static_cast<double>(values.size());
}

} // namespace

TEST_CASE("synthetic weights have the same bits everywhere") {
  // Golden: any change here changes what every machine computes, and needs new files in
  // configs/golden.
  const Shape conv{320, 4, 3, 3};
  CHECK(digest(bytes_of("conv_in.weight", conv, Dtype::kF32)) == "01c12f9611f47a80");
  CHECK(digest(bytes_of("conv_in.weight", conv, Dtype::kF16)) == "bea6748189b3fb51");
  CHECK(digest(bytes_of("conv_in.weight", conv, Dtype::kBF16)) == "c152dd2f7f355770");
  CHECK(digest(bytes_of("conv_in.weight", conv, Dtype::kF32, 12345)) == "251338ac41d90210");
  CHECK(digest(bytes_of("conv_norm_out.weight", {320}, Dtype::kF32)) == "9c454e61fdb86f61");
  CHECK(digest(bytes_of("conv_in.bias", {320}, Dtype::kF16)) == "b5729e1389126eeb");
}

TEST_CASE("how the work is parted changes no bit, whatever the size") {
  const auto backwards_by_three = [](std::size_t count, const FillChunks& fill) {
    for (std::size_t end = count; end > 0;) {
      const std::size_t begin = end < 3 ? 0 : end - 3;
      fill(begin, end);
      end = begin;
    }
  };
  const auto on_two_threads = [](std::size_t count, const FillChunks& fill) {
    const std::jthread other([&] { fill(0, count / 2); });
    fill(count / 2, count);
  };
  for (const std::int64_t size : {1, 255, 256, 257, 131071, 1000003}) {
    CAPTURE(size);
    const auto one = bytes_of("a.weight", {size, 1}, Dtype::kF32, 3);
    CHECK((bytes_of("a.weight", {size, 1}, Dtype::kF32, 3, backwards_by_three) == one));
    CHECK((bytes_of("a.weight", {size, 1}, Dtype::kF32, 3, on_two_threads) == one));
  }
}

TEST_CASE("seed, component and name each give other weights") {
  const Shape shape{16, 16};
  const auto base = bytes_of("a.weight", shape, Dtype::kF32);
  CHECK((bytes_of("a.weight", shape, Dtype::kF32, 1) != base));
  CHECK((bytes_of("a.weight", shape, Dtype::kF32, std::uint64_t{1} << 32) != base));
  CHECK((bytes_of("b.weight", shape, Dtype::kF32) != base));
  std::vector<std::byte> other(base.size());
  fill_synthetic(0, "vae", "a.weight", shape, Dtype::kF32, other);
  CHECK((other != base));
}

TEST_CASE("synthetic weights are uniform with deviation gain / sqrt(fan-in)") {
  const auto values = floats_of("down_blocks.0.conv_shortcut.weight", {512, 64, 3, 3});
  double sum = 0;
  float largest = 0;
  for (const float value : values) {
    sum += value;
    largest = std::max(largest, std::abs(value));
  }
  const double count = static_cast<double>(values.size());
  const double deviation = 1.0 / std::sqrt(64.0 * 9);
  CHECK(std::abs(sum / count) < 5 * deviation / std::sqrt(count));
  CHECK(std::sqrt(mean_square(values)) == Approx(deviation).epsilon(0.01));
  CHECK(largest == Approx(deviation * std::sqrt(3.0)).epsilon(1e-3));
}

TEST_CASE("norm weights are near one and biases are small") {
  for (const float value : floats_of("norm1.weight", {640})) {
    CHECK(std::abs(value - 1) <= 0.125F);
  }
  CHECK(std::sqrt(mean_square(floats_of("norm1.bias", {5000}))) == Approx(0.05).epsilon(0.05));
}

TEST_CASE("ends of residual branches are weaker than their beginnings") {
  const Shape shape{64, 64};
  CHECK(synthetic_scale("unet", "resnets.0.conv2.weight", shape).factor <
        0.5F * synthetic_scale("unet", "resnets.0.conv1.weight", shape).factor);
}

TEST_CASE("a weight without a layer's name is scaled as of a layer that is none of the known") {
  const Shape shape{64, 64};
  CHECK(synthetic_scale("unet", "weight", shape).factor ==
        synthetic_scale("unet", "other.weight", shape).factor);
}

TEST_CASE(
    "a network's weights keep the mean square behind a ReLU, and its variances are positive") {
  constexpr double kUnit = 65536 / 1.7320508; // of a factor: what a deviation of one has
  const auto deviation = [](const char* name, const Shape& shape) {
    return synthetic_scale("network", name, shape).factor * kUnit;
  };
  const double fan_in = 9 * 64;
  CHECK(deviation("features.2.weight", {64, 64, 3, 3}) == Approx(std::sqrt(2 / fan_in)));
  CHECK(deviation("layer1.0.conv2.weight", {64, 64, 3, 3}) == Approx(std::sqrt(2 / fan_in)));
  CHECK(deviation("layer1.0.conv3.weight", {256, 64, 1, 1}) < 0.5 / std::sqrt(64.0));
  CHECK(deviation("group1.0.conv2.weight", {64, 64, 3, 3}) == Approx(0.5 / std::sqrt(fan_in)));
  CHECK(deviation("fc.weight", {10, 64}) == Approx(1 / std::sqrt(64.0)));
  CHECK(deviation("images", {2, 3, 8, 8}) == Approx(1));
  CHECK(deviation("layer1.0.bn1.running_mean", {64}) == Approx(0.05));
  CHECK(deviation("layer1.0.bn1.bias", {64}) == Approx(0.05));
  for (const char* name : {"layer1.0.bn1.running_var", "layer1.0.bn1.weight"}) {
    const SyntheticScale scale = synthetic_scale("network", name, Shape{64});
    CHECK(scale.offset == 1);
    CHECK(scale.factor * 65535 <= 0.125F);
  }
}

TEST_CASE("fp16 rounds to nearest even, subnormals included") {
  // Against the definition: the grid of fp16 around each fp32 value, exact in double.
  const auto full = floats_of("text.mlp.fc1.weight", {400, 4096});
  const auto half = bytes_of("text.mlp.fc1.weight", {400, 4096}, Dtype::kF16);
  std::size_t subnormal = 0;
  for (std::size_t i = 0; i < full.size(); ++i) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, &half[2 * i], 2);
    const int exponent = std::max(std::ilogb(full[i]), -14);
    const double unit = std::ldexp(1.0, exponent - 10);
    const double expected = std::nearbyint(full[i] / unit) * unit;
    const int field = (bits >> 10) & 31;
    const double mantissa = (bits & 1023) + (field > 0 ? 1024 : 0);
    const double actual = std::copysign(std::ldexp(mantissa, std::max(field, 1) - 25),
                                        (bits >> 15) != 0 ? -1.0 : 1.0);
    subnormal += field == 0;
    if (actual != expected) {
      FAIL("element " << i << ": " << full[i] << " became " << actual);
    }
  }
  CHECK(subnormal > 100);
}

TEST_CASE("a wrong buffer or dtype is an error that says what must be") {
  std::vector<std::byte> buffer(15);
  const Shape shape{4};
  CHECK_THROWS_WITH(fill_synthetic(0, "unet", "a", shape, Dtype::kF32, buffer),
                    "buffer of synthetic tensor a must be 16 bytes, but is 15");
  buffer.resize(16);
  CHECK_THROWS_WITH(fill_synthetic(0, "unet", "a", shape, Dtype::kI32, buffer),
                    "dtype of synthetic weights must be fp32, fp16 or bf16, but is int32");
}

#include "sdbench/engine/nn/synthetic.h"

#include <algorithm>
#include <bit>
#include <string>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/weights/philox.h"
#include "sdbench/engine/nn/synthetic_scale.h"

namespace sdbench {
namespace {

// A Philox block gives eight 16-bit integers, and a chunk has kPhiloxLanes blocks. Element i of a
// tensor lies in chunk i / kChunk, and there in half-word (i % kChunk) / kPhiloxLanes of block i %
// kPhiloxLanes. This order needs no shuffles.
constexpr std::size_t kHalfWords = 8;
constexpr std::size_t kChunk = kHalfWords * kPhiloxLanes;

/// FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/
constexpr std::uint64_t kFnvBasis = 0xCBF29CE484222325;
std::uint64_t fnv1a(std::uint64_t hash, std::string_view text) {
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  }
  return hash;
}

struct Float32 {
  using Bits = std::uint32_t;
  static Bits round(float value) { return std::bit_cast<Bits>(value); }
};

struct BFloat16 {
  using Bits = std::uint16_t;
  /// Rounds to nearest, ties to even. Our values are finite.
  static Bits round(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return static_cast<Bits>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
  }
};

struct Float16 {
  using Bits = std::uint16_t;
  /// Rounds to nearest, ties to even, including subnormals. Our values are below 65504. Has no
  /// branches, so that the compiler can vectorise it.
  static Bits round(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = (bits >> 16) & 0x8000;
    const std::uint32_t magnitude = bits & 0x7FFFFFFF;
    // Exponent bias 127 -> 15, then the 13 mantissa bits that fp16 lacks are rounded away.
    const std::uint32_t normal = (magnitude - 0x38000000 + 0xFFF + ((magnitude >> 13) & 1)) >> 13;
    // Below 2^-14: adding 0.5 shifts the value to fp16's fixed subnormal grid, 2^-24, and rounds
    // it.
    const std::uint32_t subnormal =
        std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - 0x3F000000;
    const std::uint32_t is_subnormal = magnitude < 0x38800000 ? ~0U : 0U;
    return static_cast<Bits>(sign | (subnormal & is_subnormal) | (normal & ~is_subnormal));
  }
};

struct Generator {
  std::uint64_t key;
  std::uint64_t seed;
  SyntheticScale scale;

  template <class Format>
  void chunk(std::size_t index, typename Format::Bits* out) const {
    PhiloxBlocks random;
    philox4x32(key, seed, index * kPhiloxLanes, random);
    for (std::size_t half = 0; half < kHalfWords; ++half) {
      const unsigned shift = (half % 2) * 16;
      for (std::size_t lane = 0; lane < kPhiloxLanes; ++lane) {
        const auto uniform = static_cast<std::int32_t>((random[half / 2][lane] >> shift) & 0xFFFF);
        const float scaled = static_cast<float>(2 * uniform - 65535) * scale.factor;
        out[half * kPhiloxLanes + lane] = Format::round(scaled + scale.offset);
      }
    }
  }

  /// Elements [begin, end) of the tensor that starts at `out`; `begin` is a multiple of kChunk.
  template <class Format>
  void elements(std::size_t begin, std::size_t end, typename Format::Bits* out) const {
    for (std::size_t i = begin; i < end; i += kChunk) {
      if (end - i >= kChunk) {
        chunk<Format>(i / kChunk, out + i);
      } else {
        typename Format::Bits whole[kChunk];
        chunk<Format>(i / kChunk, whole);
        std::copy(whole, whole + (end - i), out + i);
      }
    }
  }
};

template <class Format>
void fill(const Generator& generator, std::span<std::byte> out, const InParts& in_parts) {
  auto* const values = reinterpret_cast<typename Format::Bits*>(out.data());
  const std::size_t count = out.size() / sizeof(typename Format::Bits);
  in_parts((count + kChunk - 1) / kChunk, [&](std::size_t begin, std::size_t end) {
    generator.elements<Format>(begin * kChunk, std::min(end * kChunk, count), values);
  });
}

void check_size(std::string_view name, std::span<const std::int64_t> shape, Dtype dtype,
                std::size_t bytes) {
  std::size_t expected = size_of(dtype);
  for (const std::int64_t size : shape) {
    expected *= static_cast<std::size_t>(size);
  }
  if (bytes != expected) {
    throw Error("buffer of synthetic tensor " + std::string(name) + " must be " +
                std::to_string(expected) + " bytes, but is " + std::to_string(bytes));
  }
}

} // namespace

void in_one_part(std::size_t count, const FillChunks& fill) {
  fill(0, count);
}

void fill_synthetic(std::uint64_t seed, std::string_view component, std::string_view name,
                    std::span<const std::int64_t> shape, Dtype dtype, std::span<std::byte> out,
                    const InParts& in_parts) {
  check_size(name, shape, dtype, out.size());
  const std::uint64_t key = fnv1a(fnv1a(fnv1a(kFnvBasis, component), "/"), name);
  const Generator generator{key, seed, synthetic_scale(component, name, shape)};
  switch (dtype) {
  case Dtype::kF32:
    return fill<Float32>(generator, out, in_parts);
  case Dtype::kF16:
    return fill<Float16>(generator, out, in_parts);
  case Dtype::kBF16:
    return fill<BFloat16>(generator, out, in_parts);
  default:
    throw Error("dtype of synthetic weights must be fp32, fp16 or bf16, but is " +
                std::string(name_of(dtype)));
  }
}

} // namespace sdbench

#include "sdbench/base/dataset/synthetic_dataset.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "random_words.h"
#include "sdbench/base/dataset/shuffled_order.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/weights/philox.h"

namespace sdbench {
namespace {

constexpr std::size_t kSide = 32; // pixels; a power of two, because shifts wrap around
constexpr std::size_t kChannels = 3;
constexpr std::size_t kPixels = kChannels * kSide * kSide;
constexpr std::int64_t kClasses = 10;

/// A key for each use, so that no two uses draw the same words.
enum Key : std::uint64_t { kTextureKey = 0x746578, kImageKey = 0x696D67, kLabelKey = 0x6C6162 };

/// Holds each row twice, side by side, so that a shifted row is contiguous.
using Texture = std::array<std::array<std::int16_t, 2 * kSide>, kChannels * kSide>;
using Textures = std::array<Texture, kClasses>;

constexpr std::int32_t kPeriod = 1024; // steps of a wave

/// Integer replacement for a sine, because a sine's last bit differs between machines: two
/// parabolas, from -128 to 128.
std::int32_t wave(std::int32_t phase) {
  constexpr std::int32_t kHalf = kPeriod / 2;
  const std::int32_t at = phase & (kHalf - 1);
  const std::int32_t height = (at * (kHalf - at)) >> 9;
  return (phase & kHalf) == 0 ? height : -height;
}

struct Grating {
  std::int32_t across; ///< periods over the width
  std::int32_t down;   ///< periods over the height, negative for the other slant
  std::int32_t phase;
  std::array<std::int32_t, kChannels> amplitude; ///< in 128ths
};

/// Wavelengths of 5 to 16 pixels: long enough to be visible under noise, short enough for small
/// filters.
Grating random_grating(RandomWords& random) {
  Grating grating{};
  std::int32_t square = 0;
  do {
    grating.across = random.between(0, 6);
    grating.down = random.between(-6, 6);
    square = grating.across * grating.across + grating.down * grating.down;
  } while (square < 4 || square > 36);
  grating.phase = random.between(0, kPeriod - 1);
  for (std::int32_t& amplitude : grating.amplitude) {
    amplitude = random.between(-127, 127);
  }
  return grating;
}

void add(const Grating& grating, Texture& texture) {
  constexpr auto kStep = kPeriod / static_cast<std::int32_t>(kSide);
  for (std::size_t row = 0; row < texture.size(); ++row) {
    const std::int32_t amplitude = grating.amplitude[row / kSide];
    const std::int32_t start =
        grating.phase + grating.down * static_cast<std::int32_t>(row % kSide) * kStep;
    for (std::size_t x = 0; x < texture[row].size(); ++x) {
      const std::int32_t height =
          wave(start + grating.across * static_cast<std::int32_t>(x) * kStep);
      texture[row][x] = static_cast<std::int16_t>(texture[row][x] + ((amplitude * height) >> 7));
    }
  }
}

std::unique_ptr<Textures> make_textures() {
  constexpr int kGratings = 3;
  auto textures = std::make_unique<Textures>();
  for (std::size_t label = 0; label < textures->size(); ++label) {
    RandomWords random(kTextureKey, label);
    for (int i = 0; i < kGratings; ++i) {
      add(random_grating(random), (*textures)[label]);
    }
  }
  return textures;
}

using Noise = std::array<std::uint8_t, kPixels>;

/// One byte for each pixel, four bytes a word, in an order that needs no vector shuffles.
constexpr std::size_t kNoiseBatch = 16 * kPhiloxLanes; // bytes
constexpr std::uint64_t kNoiseBlocks = kPixels / kNoiseBatch * kPhiloxLanes;
static_assert(kPixels % kNoiseBatch == 0);

void fill_noise(std::uint64_t image, Noise& noise) {
  PhiloxBlocks random;
  for (std::size_t begin = 0; begin < kPixels; begin += kNoiseBatch) {
    philox4x32(kImageKey, image, begin / kNoiseBatch * kPhiloxLanes, random);
    for (std::size_t part = 0; part < 16; ++part) {
      for (std::size_t lane = 0; lane < kPhiloxLanes; ++lane) {
        const std::uint32_t word = random[part / 4][lane];
        noise[begin + part * kPhiloxLanes + lane] =
            static_cast<std::uint8_t>(word >> (part % 4 * 8));
      }
    }
  }
}

/// How an image shows its texture.
struct View {
  std::size_t right; ///< pixels of the shift
  std::size_t down;
  std::int32_t contrast;   ///< in 256ths
  std::int32_t brightness; ///< of the middle
};

View view_of(std::uint64_t image) {
  PhiloxBlocks random;
  philox4x32(kImageKey, image, kNoiseBlocks, random); // the noise uses the blocks before
  const std::uint32_t shift = random[0][0];
  const std::uint32_t light = random[1][0];
  return {shift % kSide, shift / kSide % kSide, 64 + static_cast<std::int32_t>(light % 64),
          96 + static_cast<std::int32_t>(light / 64 % 64)};
}

void draw(const Texture& texture, const View& view, const Noise& noise,
          std::span<std::uint8_t> pixels) {
  constexpr std::int32_t kNoise = 40; // a noise byte becomes -40 to 39
  for (std::size_t row = 0; row < texture.size(); ++row) {
    const std::size_t channel = row / kSide;
    const std::int16_t* const source =
        texture[channel * kSide + (row + view.down) % kSide].data() + view.right;
    for (std::size_t x = 0; x < kSide; ++x) {
      const std::size_t at = row * kSide + x;
      const std::int32_t grain = ((std::int32_t{noise[at]} * kNoise) >> 7) - kNoise;
      const std::int32_t value = view.brightness + ((view.contrast * source[x]) >> 8) + grain;
      pixels[at] = static_cast<std::uint8_t>(std::clamp(value, 0, 255));
    }
  }
}

/// `first`: number of the first image, so that all images of a data set are distinct.
LabelledImages make_images(const Textures& textures, std::int64_t count, std::uint64_t first) {
  LabelledImages images;
  images.count = count;
  images.pixels.resize(static_cast<std::size_t>(count) * kPixels);
  for (const std::int64_t place : shuffled_order(count, kLabelKey, first)) {
    images.labels.push_back(static_cast<std::uint8_t>(place % kClasses));
  }
  Noise noise{};
  for (std::size_t i = 0; i < images.labels.size(); ++i) {
    fill_noise(first + i, noise);
    draw(textures[images.labels[i]], view_of(first + i), noise,
         std::span(images.pixels).subspan(i * kPixels, kPixels));
  }
  return images;
}

} // namespace

Dataset synthetic_dataset(std::int64_t count) {
  if (count < kLeastSyntheticImages || count > kMostSyntheticImages) {
    throw UsageError("the number of synthetic images must be from " +
                     std::to_string(kLeastSyntheticImages) + " to " +
                     std::to_string(kMostSyntheticImages) + ", but is " + std::to_string(count));
  }
  constexpr std::uint64_t kFirstTestImage = std::uint64_t{1} << 32;
  const std::unique_ptr<Textures> textures = make_textures();
  Dataset dataset;
  dataset.name = "synthetic:" + std::to_string(count);
  dataset.class_count = kClasses;
  dataset.train = make_images(*textures, count, 0);
  dataset.test = make_images(*textures, std::max(count / 5, kClasses), kFirstTestImage);
  fill_facts(dataset);
  return dataset;
}

} // namespace sdbench

#include "sdbench/base/dataset/dataset.h"

#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>

#include "sdbench/base/files/sha256.h"

namespace sdbench {
namespace {

std::string digest_of(const std::vector<std::uint8_t>& bytes) {
  return sha256_hex(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

/// Integer sums, which do not depend on the order.
struct ByteSums {
  std::uint64_t count = 0;
  std::uint64_t sum = 0;
  std::uint64_t squares = 0;
};

ByteSums sums_of_channel(const LabelledImages& images, std::int64_t channel) {
  const auto plane = static_cast<std::size_t>(images.height * images.width);
  const std::size_t image = plane * static_cast<std::size_t>(images.channels);
  ByteSums sums;
  for (std::int64_t i = 0; i < images.count; ++i) {
    const std::size_t begin =
        static_cast<std::size_t>(i) * image + static_cast<std::size_t>(channel) * plane;
    for (const std::uint8_t byte : std::span(images.pixels).subspan(begin, plane)) {
      sums.sum += byte;
      sums.squares += std::uint64_t{byte} * byte;
    }
    sums.count += plane;
  }
  return sums;
}

} // namespace

std::string identity_of(const Dataset& dataset) {
  constexpr std::size_t kDigits = 16;
  std::string parts;
  for (const LabelledImages* images : {&dataset.train, &dataset.test}) {
    parts += digest_of(images->pixels) + digest_of(images->labels);
  }
  return dataset.name + ":" + sha256_hex(parts).substr(0, kDigits);
}

void fill_facts(Dataset& dataset) {
  constexpr double kMost = 255;
  for (std::int64_t channel = 0; channel < dataset.train.channels; ++channel) {
    const ByteSums sums = sums_of_channel(dataset.train, channel);
    const auto count = static_cast<double>(sums.count);
    const double mean = static_cast<double>(sums.sum) / count;
    const double variance = static_cast<double>(sums.squares) / count - mean * mean;
    dataset.mean.push_back(static_cast<float>(mean / kMost));
    dataset.std.push_back(variance > 0 ? static_cast<float>(std::sqrt(variance) / kMost) : 1.0F);
  }
}

} // namespace sdbench

#include "catch.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/dataset/synthetic_dataset.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/sha256.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

/// The first eight bytes of the SHA-256 of the first `count` images and labels.
std::string digest(const LabelledImages& images, std::size_t count) {
  const std::string_view pixels(reinterpret_cast<const char*>(images.pixels.data()), count * 3072);
  const std::string_view labels(reinterpret_cast<const char*>(images.labels.data()), count);
  return sha256_hex(std::string(pixels) + std::string(labels)).substr(0, 16);
}

std::vector<std::int64_t> count_of_classes(const LabelledImages& images) {
  std::vector<std::int64_t> counts(10, 0);
  for (const std::uint8_t label : images.labels) {
    ++counts.at(label);
  }
  return counts;
}

} // namespace

TEST_CASE("synthetic images have the same bits everywhere") {
  // Golden: any change here makes another data set, whose accuracies stand beside no older ones.
  const Dataset dataset = synthetic_dataset(100);
  CHECK(digest(dataset.train, 10) == "283a2cb5a3e3374f");
  CHECK(digest(dataset.test, 10) == "ce3cd3a4263cb78a");
  CHECK(identity_of(dataset) == "synthetic:100:8befd875ab947fd5");
}

TEST_CASE("synthetic images have CIFAR-10's form, and a fifth as many test the network") {
  const Dataset dataset = synthetic_dataset(1000);
  CHECK(dataset.name == "synthetic:1000");
  CHECK(dataset.class_count == 10);
  for (const LabelledImages* images : {&dataset.train, &dataset.test}) {
    CHECK(images->count == (images == &dataset.train ? 1000 : 200));
    CHECK(images->channels == 3);
    CHECK(images->height == 32);
    CHECK(images->width == 32);
    CHECK(images->pixels.size() == static_cast<std::size_t>(images->count) * 3072);
    CHECK(images->labels.size() == static_cast<std::size_t>(images->count));
  }
  CHECK(dataset.mean.size() == 3);
  CHECK(dataset.std.size() == 3);
}

TEST_CASE("the classes are as equal in number as they can be, and come in a shuffled order") {
  const Dataset dataset = synthetic_dataset(1003);
  const std::vector<std::int64_t> counts = count_of_classes(dataset.train);
  CHECK(*std::ranges::min_element(counts) == 100);
  CHECK(*std::ranges::max_element(counts) == 101);
  CHECK(count_of_classes(dataset.test) == std::vector<std::int64_t>(10, 20));
  CHECK_FALSE(std::ranges::is_sorted(dataset.train.labels));
  CHECK(dataset.train.labels[0] + 1 != dataset.train.labels[1]);
}

TEST_CASE("the smallest data set has ten images to train and ten to test with") {
  const Dataset dataset = synthetic_dataset(10);
  CHECK(dataset.train.count == 10);
  CHECK(dataset.test.count == 10);
  CHECK(count_of_classes(dataset.test) == std::vector<std::int64_t>(10, 1));
}

TEST_CASE("a count of synthetic images that is too small or too large is refused") {
  for (const std::int64_t count : {-1, 0, 9, 1'000'001}) {
    CHECK_THROWS_AS(synthetic_dataset(count), UsageError);
    CHECK_THROWS_WITH(synthetic_dataset(count), ContainsSubstring("must be from 10 to 1000000"));
  }
}

TEST_CASE("no synthetic image is the same as another, and none tests what it trained") {
  const Dataset dataset = synthetic_dataset(500);
  std::vector<std::string> images;
  for (const LabelledImages* part : {&dataset.train, &dataset.test}) {
    for (std::size_t i = 0; i < part->labels.size(); ++i) {
      const auto begin = part->pixels.begin() + static_cast<std::ptrdiff_t>(i * 3072);
      images.emplace_back(begin, begin + 3072);
    }
  }
  std::ranges::sort(images);
  CHECK(std::ranges::adjacent_find(images) == images.end());
}

TEST_CASE("synthetic pixels use the range of a byte, and few are cut off at its ends") {
  const Dataset dataset = synthetic_dataset(500);
  std::array<std::int64_t, 256> counts{};
  for (const std::uint8_t pixel : dataset.train.pixels) {
    ++counts[pixel];
  }
  const auto pixels = static_cast<double>(dataset.train.pixels.size());
  CHECK(static_cast<double>(counts[0] + counts[255]) < 0.03 * pixels);
  CHECK(*std::ranges::min_element(counts) > 0);
  for (const float std : dataset.std) {
    CHECK(std > 0.1F);
    CHECK(std < 0.3F);
  }
}

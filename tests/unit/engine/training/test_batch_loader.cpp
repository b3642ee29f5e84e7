#include "catch.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "sdbench/base/dataset/dataset.h"
#include "sdbench/base/dataset/shuffled_order.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/engine/training/batch_loader.h"
#include "sdbench/engine/worker/cuda_facts.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Images of two channels of 2 x 3; labels are the images' numbers.
LabelledImages numbered_images(std::int64_t count) {
  LabelledImages images{count, 2, 2, 3, {}, {}};
  for (std::int64_t image = 0; image < count; ++image) {
    images.labels.push_back(static_cast<std::uint8_t>(image));
    for (std::int64_t i = 0; i < 12; ++i) {
      images.pixels.push_back(static_cast<std::uint8_t>(37 * image + 20 * i));
    }
  }
  return images;
}

Dataset numbered_dataset(std::int64_t train, std::int64_t test = 3) {
  Dataset dataset;
  dataset.train = numbered_images(train);
  dataset.test = numbered_images(test);
  dataset.mean = {0.25F, 0.4F};
  dataset.std = {0.5F, 0.3F};
  return dataset;
}

std::vector<std::int64_t> numbers_in(const at::Tensor& x) {
  const auto* const begin = x.const_data_ptr<std::int64_t>();
  return {begin, begin + x.numel()};
}

std::vector<std::int64_t> labels_of_epoch(BatchLoader& loader) {
  std::vector<std::int64_t> labels;
  for (std::int64_t i = 0; i < loader.batches_per_epoch(); ++i) {
    const std::vector<std::int64_t> more = numbers_in(loader.next().labels);
    labels.insert(labels.end(), more.begin(), more.end());
  }
  return labels;
}

constexpr DataPlace kPlaces[] = {DataPlace::kHost, DataPlace::kDevice};

} // namespace

TEST_CASE("a batch is normalised by the data set's mean and deviation of each channel") {
  const Dataset dataset = numbered_dataset(7);
  for (const DataPlace place : kPlaces) {
    BatchLoader loader(dataset, Split::kTest, {.batch = 2, .place = place});
    static_cast<void>(loader.next());
    const Batch batch = loader.next();
    CHECK(batch.images.sizes() == at::IntArrayRef({1, 2, 2, 3}));
    CHECK(numbers_in(batch.labels) == std::vector<std::int64_t>{2});
    for (std::int64_t i = 0; i < 12; ++i) {
      const std::size_t channel = i < 6 ? 0 : 1;
      const float byte = dataset.test.pixels[static_cast<std::size_t>(24 + i)];
      const float value = (byte / 255.0F - dataset.mean[channel]) / dataset.std[channel];
      CHECK(batch.images.flatten()[i].item<float>() == value);
    }
  }
}

TEST_CASE("both places give the same bits in every format, epoch after epoch") {
  const Dataset dataset = numbered_dataset(23);
  for (const at::ScalarType dtype : {at::kFloat, at::kHalf, at::kBFloat16}) {
    for (const Split split : {Split::kTrain, Split::kTest}) {
      const BatchOptions options{.batch = 5, .dtype = dtype, .seed = 11};
      BatchOptions on_device = options;
      on_device.place = DataPlace::kDevice;
      BatchLoader from_host(dataset, split, options);
      BatchLoader from_device(dataset, split, on_device);
      for (int i = 0; i < 12; ++i) {
        const Batch a = from_host.next();
        const Batch b = from_device.next();
        CHECK(a.images.scalar_type() == dtype);
        CHECK(b.images.scalar_type() == dtype);
        CHECK(at::equal(a.images, b.images));
        CHECK(at::equal(a.labels, b.labels));
        CHECK(a.labels.scalar_type() == at::kLong);
      }
    }
  }
}

TEST_CASE("the last batch of an epoch has what is left") {
  const Dataset dataset = numbered_dataset(10);
  for (const DataPlace place : kPlaces) {
    BatchLoader loader(dataset, Split::kTrain, {.batch = 4, .place = place});
    CHECK(loader.batches_per_epoch() == 3);
    std::vector<std::int64_t> sizes;
    for (int i = 0; i < 6; ++i) {
      sizes.push_back(loader.next().images.size(0));
    }
    CHECK(sizes == std::vector<std::int64_t>{4, 4, 2, 4, 4, 2});
  }
  const Dataset large{
      .name = "",
      .train = {50000, 1, 1, 1, std::vector<std::uint8_t>(50000), std::vector<std::uint8_t>(50000)},
      .test = {},
      .mean = {0},
      .std = {1}};
  CHECK(BatchLoader(large, Split::kTrain, {.batch = 128}).batches_per_epoch() == 391);
  CHECK(BatchLoader(large, Split::kTrain, {.batch = 50000}).batches_per_epoch() == 1);
}

TEST_CASE("each epoch trains with each image once, in the order of its seed and number") {
  const Dataset dataset = numbered_dataset(50);
  for (const DataPlace place : kPlaces) {
    BatchLoader loader(dataset, Split::kTrain, {.batch = 8, .place = place, .seed = 5});
    for (std::uint64_t epoch = 0; epoch < 3; ++epoch) {
      CHECK(labels_of_epoch(loader) == shuffled_order(50, 5, epoch));
    }
    BatchLoader other(dataset, Split::kTrain, {.batch = 8, .place = place, .seed = 6});
    CHECK(labels_of_epoch(other) == shuffled_order(50, 6, 0));
  }
}

TEST_CASE("the parts of a batch are the batch, also of an epoch's last one") {
  const Dataset dataset = numbered_dataset(23);
  for (const DataPlace place : kPlaces) {
    const BatchOptions options{.batch = 10, .place = place, .seed = 5};
    BatchLoader whole(dataset, Split::kTrain, options);
    std::vector<std::unique_ptr<BatchLoader>> parts;
    for (const std::int64_t part : {0, 1, 2}) {
      BatchOptions of_part = options;
      of_part.part = part;
      of_part.parts = 3;
      parts.push_back(std::make_unique<BatchLoader>(dataset, Split::kTrain, of_part));
      CHECK(parts.back()->batches_per_epoch() == 3);
    }
    for (int i = 0; i < 6; ++i) {
      const Batch batch = whole.next();
      std::vector<at::Tensor> images;
      std::vector<std::int64_t> counts;
      for (const auto& part : parts) {
        const Batch of_part = part->next();
        CHECK(of_part.whole == batch.labels.size(0));
        counts.push_back(of_part.labels.size(0));
        images.push_back(of_part.images);
      }
      CHECK(at::equal(at::cat(images), batch.images));
      CHECK(counts ==
            (i % 3 == 2 ? std::vector<std::int64_t>{1, 1, 1} : std::vector<std::int64_t>{4, 3, 3}));
    }
  }
}

TEST_CASE("images to test with come as they lie, in each epoch") {
  const Dataset dataset = numbered_dataset(2, 5);
  for (const DataPlace place : kPlaces) {
    BatchLoader loader(dataset, Split::kTest, {.batch = 3, .place = place, .seed = 5});
    for (int epoch = 0; epoch < 2; ++epoch) {
      CHECK(labels_of_epoch(loader) == std::vector<std::int64_t>{0, 1, 2, 3, 4});
    }
  }
}

TEST_CASE("a batch larger than the data set is the whole of it, and one image is a data set") {
  for (const std::int64_t count : {1, 6}) {
    const Dataset dataset = numbered_dataset(count);
    for (const DataPlace place : kPlaces) {
      BatchLoader loader(dataset, Split::kTrain, {.batch = 4096, .place = place});
      CHECK(loader.batches_per_epoch() == 1);
      for (int i = 0; i < 3; ++i) {
        CHECK(loader.next().images.size(0) == count);
      }
    }
  }
}

TEST_CASE("a batch stays what it is while the next ones are made") {
  const Dataset dataset = numbered_dataset(30);
  for (const DataPlace place : kPlaces) {
    BatchLoader loader(dataset, Split::kTrain, {.batch = 4, .place = place});
    const Batch first = loader.next();
    const at::Tensor copy = first.images.clone();
    for (int i = 0; i < 20; ++i) {
      static_cast<void>(loader.next());
    }
    CHECK(at::equal(first.images, copy));
  }
}

TEST_CASE("batches that cannot be made are refused") {
  const Dataset dataset = numbered_dataset(4, 0);
  for (const DataPlace place : kPlaces) {
    for (const std::int64_t batch : {0, -1}) {
      CHECK_THROWS_WITH(
          BatchLoader(dataset, Split::kTrain, {.batch = batch, .place = place}),
          ContainsSubstring("must have at least 1 image, but has " + std::to_string(batch)));
    }
    CHECK_THROWS_WITH( // 4 images: the last batch has one
        BatchLoader(dataset, Split::kTrain, {.batch = 3, .place = place, .parts = 2}),
        ContainsSubstring("an image for each of its 2 parts, but one has 1"));
    CHECK_THROWS_WITH(BatchLoader(dataset, Split::kTest, {.place = place}),
                      ContainsSubstring("must have at least 1 image"));
    CHECK_THROWS_WITH(BatchLoader(dataset, Split::kTrain, {.dtype = at::kDouble, .place = place}),
                      ContainsSubstring("must be fp32, fp16 or bf16, but is fp64"));
  }
}

TEST_CASE("a GPU's batches have the host's bits, in both places", "[.gpu]") {
  if (cuda_devices().empty()) {
    WARN("skipped: there is no GPU"); // ctest knows it by these words
    return;
  }
  const Dataset dataset = numbered_dataset(23);
  for (const at::ScalarType dtype : {at::kFloat, at::kHalf, at::kBFloat16}) {
    const BatchOptions options{.batch = 5, .dtype = dtype};
    BatchLoader on_host(dataset, Split::kTrain, options);
    BatchOptions copied = options;
    copied.device = at::Device("cuda:0");
    BatchLoader from_host(dataset, Split::kTrain, copied);
    copied.place = DataPlace::kDevice;
    BatchLoader from_device(dataset, Split::kTrain, copied);
    for (int i = 0; i < 12; ++i) {
      const Batch expected = on_host.next();
      for (BatchLoader* loader : {&from_host, &from_device}) {
        const Batch batch = loader->next();
        CHECK(batch.images.is_cuda());
        CHECK(at::equal(batch.images.cpu(), expected.images));
        CHECK(at::equal(batch.labels.cpu(), expected.labels));
      }
    }
  }
}

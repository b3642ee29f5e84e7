#pragma once

#include <cstdint>
#include <functional>

#include <ATen/core/Tensor.h>

#include "sdbench/base/dataset/dataset.h"

namespace sdbench {

/// Where the images are when a batch is made.
enum class DataPlace {
  kHost,   ///< one thread makes batches on the host, one ahead, and each is copied to the device
  kDevice, ///< all are on the device as bytes, and it makes the batches
};

enum class Split {
  kTrain, ///< another order in each epoch
  kTest,  ///< as they lie
};

struct BatchOptions {
  std::int64_t batch = 128; ///< images
  at::ScalarType dtype = at::kFloat;
  at::Device device = at::kCPU;
  DataPlace place = DataPlace::kHost;
  std::uint64_t seed = 0; ///< of the orders
  /// Where devices share each batch, the part of it that is made, as even_part() has it.
  std::int64_t part = 0;
  std::int64_t parts = 1;
};

struct Batch {
  at::Tensor images;      ///< [N, channels, height, width], contiguous
  at::Tensor labels;      ///< [N], int64
  std::int64_t whole = 0; ///< images of the batch in all its parts
};

/// A data set's images in batches, epoch after epoch without end. The last batch of an epoch has
/// the images that are left, so 50,000 make 391 batches of 128. A value is (byte / 255 - mean) /
/// std in fp32, by the data set's mean and std, rounded to `dtype`. Both places give the same bits
/// and the same order (shuffled_order.h), on every machine.
class BatchLoader {
public:
  /// `dataset` must live as long as the loader. Throws Error for a batch below 1, a split without
  /// images, a batch with too few images for its parts, and a dtype that is not fp32, fp16 or bf16;
  /// c10::Error where the device has too little memory for the images.
  BatchLoader(const Dataset& dataset, Split split, const BatchOptions& options);
  BatchLoader(const BatchLoader&) = delete; // two would share one thread's batches
  BatchLoader& operator=(const BatchLoader&) = delete;

  [[nodiscard]] std::int64_t batches_per_epoch() const { return batches_per_epoch_; }

  /// The next batch, on the device. Copies from the host take their turn among the device's work.
  /// Throws what a thread that makes batches met.
  [[nodiscard]] Batch next() { return next_(); }

private:
  std::int64_t batches_per_epoch_;
  std::function<Batch()> next_;
};

} // namespace sdbench

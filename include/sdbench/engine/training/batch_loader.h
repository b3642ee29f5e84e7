#pragma once

#include <cstdint>
#include <functional>

#include <ATen/core/Tensor.h>

#include "sdbench/base/dataset/dataset.h"

namespace sdbench {

/// Where the images are stored when a batch is made.
enum class DataPlace {
  kHost,   ///< in host memory; a thread makes each batch in advance, next() copies it to the device
  kDevice, ///< all images on the device, as bytes; the device makes the batches
};

enum class Split {
  kTrain, ///< images for training, in a new order in each epoch
  kTest,  ///< images for testing, in the stored order
};

struct BatchOptions {
  std::int64_t batch = 128; ///< images
  at::ScalarType dtype = at::kFloat;
  at::Device device = at::kCPU;
  DataPlace place = DataPlace::kHost;
  std::uint64_t seed = 0; ///< decides the order of the images in each epoch
  /// Devices can share each batch. This loader makes part number `part`, counted from 0, of `parts`
  /// parts: see even_part().
  std::int64_t part = 0;
  std::int64_t parts = 1;
};

struct Batch {
  at::Tensor images;      ///< [N, channels, height, width], contiguous
  at::Tensor labels;      ///< [N], int64
  std::int64_t whole = 0; ///< number of images in all parts of the batch
};

/// A data set's images in batches, in an endless sequence of epochs. The last batch of an epoch
/// holds the remaining images, so 50,000 images make 391 batches of 128. Each value of an image is
/// (byte / 255 - mean) / std in fp32, with the data set's mean and std, rounded to `dtype`. Both
/// values of DataPlace give the same bits in the same order (shuffled_order.h) on every machine.
class BatchLoader {
public:
  /// `dataset` must live as long as the loader. Throws Error if `batch` is below 1, the split is
  /// empty, a batch has fewer images than parts, or the dtype is not fp32, fp16 or bf16. Throws
  /// c10::Error if the device has too little memory for the images.
  BatchLoader(const Dataset& dataset, Split split, const BatchOptions& options);
  BatchLoader(const BatchLoader&) = delete; // copies would share one thread's batches
  BatchLoader& operator=(const BatchLoader&) = delete;

  [[nodiscard]] std::int64_t batches_per_epoch() const { return batches_per_epoch_; }

  /// The next batch, on the device. Copies from the host are queued on the device's stream. If the
  /// thread that makes batches has thrown an exception, rethrows it.
  [[nodiscard]] Batch next() { return next_(); }

private:
  std::int64_t batches_per_epoch_;
  std::function<Batch()> next_;
};

} // namespace sdbench

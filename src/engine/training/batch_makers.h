#pragma once

#include <ATen/core/Tensor.h>

#include "epoch_order.h"
#include "sdbench/base/dataset/dataset.h"
#include "sdbench/engine/training/batch_loader.h"

namespace sdbench {

/// A table of normalised values: [channels, 256], one for each byte in each channel, on the host.
/// Both batch makers look values up in it, so that the result does not depend on a device's
/// arithmetic.
[[nodiscard]] at::Tensor normalised_values(const Dataset& dataset, at::ScalarType dtype);

/// Makes batches on the host, in pinned memory for a GPU. Uses one thread and no ATen operators:
/// they would start a second team of threads that competes with the computing one.
class HostBatchMaker {
public:
  /// `images` must live as long as this does.
  HostBatchMaker(const LabelledImages& images, EpochOrder order, at::Tensor values,
                 at::Device device);

  [[nodiscard]] Batch operator()();

private:
  const LabelledImages* images_;
  EpochOrder order_;
  at::Tensor values_;
  at::Device device_; ///< where the batches go
};

/// Makes batches on the device that holds all images.
class DeviceBatchMaker {
public:
  /// `images` must live as long as this does: on a CPU they are not copied.
  DeviceBatchMaker(const LabelledImages& images, EpochOrder order, const at::Tensor& values,
                   at::Device device);

  [[nodiscard]] Batch operator()();

private:
  EpochOrder order_;
  at::Tensor rows_of_epoch_;    ///< [count], int64
  at::Tensor pixels_;           ///< [count, channels, height, width], bytes
  at::Tensor labels_;           ///< [count], int64
  at::Tensor values_;           ///< [channels * 256]
  at::Tensor first_of_channel_; ///< [channels, 1, 1], int32: where a channel's values begin
};

} // namespace sdbench

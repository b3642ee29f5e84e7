#include "sdbench/engine/training/batch_loader.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "batch_makers.h"
#include "epoch_order.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/engine/nn/device_copy.h"
#include "sdbench/engine/nn/scalar_type.h"
#include "sdbench/engine/training/prefetched.h"

namespace sdbench {
namespace {

void check_batches(const LabelledImages& images, const BatchOptions& options) {
  if (options.batch < 1) {
    throw Error("a batch must have at least 1 image, but has " + std::to_string(options.batch));
  }
  if (images.count < 1) {
    throw Error("a data set must have at least 1 image to train and to test with, but has none");
  }
  const std::int64_t rest = images.count % options.batch; // size of the last batch
  if (options.batch < options.parts || (rest > 0 && rest < options.parts)) {
    throw Error("a batch must have at least an image for each of its " +
                std::to_string(options.parts) + " parts, but one has " +
                std::to_string(rest > 0 ? std::min(rest, options.batch) : options.batch));
  }
  if (options.dtype != at::kFloat && options.dtype != at::kHalf && options.dtype != at::kBFloat16) {
    throw Error("dtype of a batch must be fp32, fp16 or bf16, but is " +
                std::string(name_of(to_dtype(options.dtype))));
  }
}

} // namespace

BatchLoader::BatchLoader(const Dataset& dataset, Split split, const BatchOptions& options) {
  const LabelledImages& images = split == Split::kTrain ? dataset.train : dataset.test;
  check_batches(images, options);
  batches_per_epoch_ = batch_count(images.count, options.batch);
  EpochOrder order(images.count, split == Split::kTrain, options);
  const at::Tensor values = normalised_values(dataset, options.dtype);
  if (options.place == DataPlace::kDevice) {
    next_ = DeviceBatchMaker(images, std::move(order), values, options.device);
    return;
  }
  const auto made = std::make_shared<Prefetched<Batch>>(
      HostBatchMaker(images, std::move(order), values, options.device));
  next_ = [made, device = options.device] {
    const Batch batch = made->next();
    return Batch{to_device(batch.images, device), to_device(batch.labels, device), batch.whole};
  };
}

} // namespace sdbench

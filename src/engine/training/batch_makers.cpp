#include "batch_makers.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include <ATen/ATen.h>
#include <c10/core/DeviceGuard.h>

#include "sdbench/engine/nn/device_copy.h"

namespace sdbench {
namespace {

constexpr std::int64_t kByteValues = 256;

/// Host memory, pinned for a GPU. A container may refuse pinned memory; then the copy blocks.
at::Tensor memory_for(at::Device device, at::IntArrayRef sizes, at::ScalarType dtype) {
  const at::TensorOptions options = at::device(at::kCPU).dtype(dtype);
  if (device.is_cuda()) {
    try {
      return at::empty(sizes, options.pinned_memory(true));
    } catch (const c10::Error&) {
      return at::empty(sizes, options);
    }
  }
  return at::empty(sizes, options);
}

/// `Bits` has the size of a value; a copy need not know its type. `out`: [rows, channels, height,
/// width].
template <class Bits>
void look_up(const LabelledImages& images, std::span<const std::int64_t> rows, const Bits* values,
             Bits* out) {
  const std::int64_t plane = images.height * images.width;
  for (const std::int64_t row : rows) {
    const std::uint8_t* in = images.pixels.data() + row * images.channels * plane;
    for (std::int64_t channel = 0; channel < images.channels; ++channel) {
      const Bits* const of_channel = values + channel * kByteValues;
      for (std::int64_t i = 0; i < plane; ++i) {
        out[i] = of_channel[in[i]];
      }
      in += plane;
      out += plane;
    }
  }
}

} // namespace

at::Tensor normalised_values(const Dataset& dataset, at::ScalarType dtype) {
  const auto channels = static_cast<std::int64_t>(dataset.mean.size());
  const at::Tensor values = at::empty({channels, kByteValues}, at::kFloat);
  auto* value = values.data_ptr<float>();
  for (std::size_t channel = 0; channel < dataset.mean.size(); ++channel) {
    for (std::int64_t byte = 0; byte < kByteValues; ++byte) {
      *value++ = (static_cast<float>(byte) / 255.0F - dataset.mean[channel]) / dataset.std[channel];
    }
  }
  return values.to(dtype);
}

HostBatchMaker::HostBatchMaker(const LabelledImages& images, EpochOrder order, at::Tensor values,
                               at::Device device)
    : images_(&images), order_(std::move(order)), values_(std::move(values)), device_(device) {}

Batch HostBatchMaker::operator()() {
  const c10::DeviceGuard guard(device_); // pinned memory belongs to a device's context
  order_.advance();
  const std::span<const std::int64_t> rows = order_.rows();
  const auto count = static_cast<std::int64_t>(rows.size());
  Batch batch{memory_for(device_, {count, images_->channels, images_->height, images_->width},
                         values_.scalar_type()),
              memory_for(device_, {count}, at::kLong), order_.batch_size()};
  if (values_.element_size() == sizeof(std::uint32_t)) {
    look_up(*images_, rows, static_cast<const std::uint32_t*>(values_.const_data_ptr()),
            static_cast<std::uint32_t*>(batch.images.mutable_data_ptr()));
  } else {
    look_up(*images_, rows, static_cast<const std::uint16_t*>(values_.const_data_ptr()),
            static_cast<std::uint16_t*>(batch.images.mutable_data_ptr()));
  }
  auto* label = batch.labels.data_ptr<std::int64_t>();
  for (const std::int64_t row : rows) {
    *label++ = images_->labels[static_cast<std::size_t>(row)];
  }
  return batch;
}

DeviceBatchMaker::DeviceBatchMaker(const LabelledImages& images, EpochOrder order,
                                   const at::Tensor& values, at::Device device)
    : order_(std::move(order)), values_(values.flatten().to(device)),
      first_of_channel_(at::arange(images.channels, at::kInt)
                            .mul_(kByteValues)
                            .view({images.channels, 1, 1})
                            .to(device)) {
  const auto bytes_of = [device](const std::vector<std::uint8_t>& bytes, at::IntArrayRef sizes) {
    // from_blob wants a pointer to non-const, but nobody writes through it. The copy is made once,
    // so it needs no pinned memory.
    auto* const data = const_cast<std::uint8_t*>(bytes.data());
    return at::from_blob(data, sizes, at::kByte).to(device);
  };
  pixels_ = bytes_of(images.pixels, {images.count, images.channels, images.height, images.width});
  labels_ = bytes_of(images.labels, {images.count}).to(at::kLong);
}

Batch DeviceBatchMaker::operator()() {
  order_.advance();
  if (order_.is_first_of_epoch()) {
    const std::span<const std::int64_t> all = order_.all();
    const at::Tensor on_host = at::empty({static_cast<std::int64_t>(all.size())}, at::kLong);
    std::ranges::copy(all, on_host.data_ptr<std::int64_t>());
    rows_of_epoch_ = to_device(on_host, pixels_.device());
  }
  const at::Tensor rows =
      rows_of_epoch_.narrow(0, order_.begin(), static_cast<std::int64_t>(order_.rows().size()));
  const at::Tensor bytes = pixels_.index_select(0, rows);
  const at::Tensor places = bytes.to(at::kInt).add_(first_of_channel_);
  return {values_.index_select(0, places.view(-1)).view(bytes.sizes()),
          labels_.index_select(0, rows), order_.batch_size()};
}

} // namespace sdbench

#include "sdbench/base/executor/run_dump.h"

#include <utility>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/weights/tensor_view.h"

namespace sdbench {

std::string RunDump::step_name(std::int64_t step) {
  return "step_" + std::to_string(step);
}

std::filesystem::path RunDump::step_file(const std::filesystem::path& dump, std::int64_t step) {
  return dump.string() + "." + step_name(step);
}

RunDump::RunDump(const std::filesystem::path& path) : file_(path) {
  const TensorView pixels = tensor(file_, kPixels, Dtype::kU8);
  if (pixels.shape[3] != 3 || file_.tensors().size() < 2) {
    throw Error(path.string() + " must hold pixels [N, H, W, 3] and latents of each step");
  }
  images_ = pixels.shape[0];
  height_ = pixels.shape[1];
  width_ = pixels.shape[2];
  steps_ = static_cast<std::int64_t>(file_.tensors().size()) - 1;
  const std::size_t bytes = tensor(file_, step_name(1), Dtype::kF32).data.size();
  for (std::int64_t step = 1; step <= steps_; ++step) {
    const TensorView latents = tensor(file_, step_name(step), Dtype::kF32);
    const bool aligned =
        reinterpret_cast<std::uintptr_t>(latents.data.data()) % alignof(float) == 0;
    if (latents.shape[0] != images_ || latents.data.size() != bytes || !aligned) {
      throw Error(
          path.string() + ": " + step_name(step) +
          " must have latents for each image that has pixels, all of one size, but has not");
    }
  }
  latent_count_ = bytes / sizeof(float) / static_cast<std::size_t>(images_);
  for (std::int64_t step = 1; step < steps_; ++step) {
    open_step_file(step);
  }
}

void RunDump::open_step_file(std::int64_t step) {
  const std::filesystem::path path = step_file(file_.path(), step);
  if (!std::filesystem::exists(path)) {
    return;
  }
  SafetensorsFile file(path);
  if (tensor(file, kPixels, Dtype::kU8).shape != tensor(file_, kPixels, Dtype::kU8).shape) {
    throw Error(path.string() +
                " must hold as many images as the final file, of the same size, but does not");
  }
  step_files_.emplace(step, std::move(file));
}

TensorView RunDump::tensor(const SafetensorsFile& file, const std::string& name, Dtype dtype) {
  const auto found = file.tensors().find(name);
  constexpr std::size_t kDimensions = 4;
  if (found == file.tensors().end() || found->second.dtype != dtype ||
      found->second.shape.size() != kDimensions || found->second.shape[0] < 1) {
    throw Error(file.path().string() + " must hold the tensor " + name + ", " +
                std::string(name_of(dtype)) + " in four dimensions, but does not");
  }
  return found->second;
}

std::span<const std::uint8_t> RunDump::pixels_in(const SafetensorsFile& file,
                                                 std::int64_t image) const {
  const std::span<const std::byte> all = file.tensors().at(kPixels).data;
  const auto size = static_cast<std::size_t>(width_ * height_ * 3);
  return {reinterpret_cast<const std::uint8_t*>(all.data()) +
              static_cast<std::size_t>(image) * size,
          size};
}

std::span<const std::uint8_t> RunDump::pixels(std::int64_t image) const {
  return pixels_in(file_, image);
}

std::span<const std::uint8_t> RunDump::pixels_after(std::int64_t step, std::int64_t image) const {
  if (step == steps_) {
    return pixels(image);
  }
  const auto found = step_files_.find(step);
  return found == step_files_.end() ? std::span<const std::uint8_t>()
                                    : pixels_in(found->second, image);
}

std::span<const float> RunDump::latents(std::int64_t step, std::int64_t image) const {
  const std::span<const std::byte> all = file_.tensors().at(step_name(step)).data;
  return {reinterpret_cast<const float*>(all.data()) +
              static_cast<std::size_t>(image) * latent_count_,
          latent_count_};
}

} // namespace sdbench

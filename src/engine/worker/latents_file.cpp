#include "sdbench/engine/worker/latents_file.h"

#include <cstring>
#include <span>

#include <ATen/ATen.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/executor/run_dump.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/weights/noise_file.h"
#include "sdbench/base/weights/safetensors.h"
#include "sdbench/base/weights/safetensors_writer.h"
#include "sdbench/base/weights/tensor_view.h"

namespace sdbench {
namespace {

/// Writes tensors, which must be contiguous and on the host.
void write_values(const std::filesystem::path& path, const std::vector<TensorDeclaration>& declared,
                  const std::vector<at::Tensor>& tensors) {
  write_safetensors(path, declared, [&](std::size_t index, std::span<std::byte> out) {
    std::memcpy(out.data(), tensors[index].data_ptr(), out.size());
  });
}

} // namespace

at::Tensor read_latents(const std::filesystem::path& path, const std::vector<std::int64_t>& shape) {
  const SafetensorsFile file(path);
  const TensorView& view = noise_in(file, shape);
  at::Tensor latents = at::empty(shape, at::kFloat);
  std::memcpy(latents.data_ptr<float>(), view.data.data(), view.data.size());
  if (!latents.isfinite().all().item<bool>()) {
    throw Error(path.string() + " must hold finite numbers, but holds NaN or infinity");
  }
  return latents;
}

void write_latents(const std::filesystem::path& path, const at::Tensor& latents) {
  write_values(path, {{"latents", Dtype::kF32, latents.sizes().vec()}},
               {latents.to(at::kCPU, at::kFloat).contiguous()});
}

void write_run_dump(const std::filesystem::path& path, const std::vector<at::Tensor>& steps,
                    const at::Tensor& pixels) {
  std::vector<TensorDeclaration> declared;
  std::vector<at::Tensor> tensors;
  for (const at::Tensor& latents : steps) {
    tensors.push_back(latents.to(at::kCPU, at::kFloat).contiguous());
    declared.push_back({RunDump::step_name(static_cast<std::int64_t>(tensors.size())), Dtype::kF32,
                        latents.sizes().vec()});
  }
  tensors.push_back(pixels.contiguous());
  declared.push_back({RunDump::kPixels, Dtype::kU8, pixels.sizes().vec()});
  write_values(path, declared, tensors);
}

void write_pixels(const std::filesystem::path& path, const at::Tensor& pixels) {
  write_values(path, {{RunDump::kPixels, Dtype::kU8, pixels.sizes().vec()}}, {pixels.contiguous()});
}

} // namespace sdbench

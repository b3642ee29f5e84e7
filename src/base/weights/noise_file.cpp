#include "sdbench/base/weights/noise_file.h"

#include <string>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/weights/tensor_view.h"

namespace sdbench {
namespace {

std::string shape_text(const std::vector<std::int64_t>& shape) {
  return "[" + joined(mapped(shape, [](std::int64_t size) { return std::to_string(size); })) + "]";
}

} // namespace

const TensorView& noise_in(const SafetensorsFile& file, const std::vector<std::int64_t>& shape) {
  const std::string must = file.path().string() + " must hold a tensor \"latents\", fp32 " +
                           shape_text(shape) + " for this size and --images, but ";
  const auto found = file.tensors().find("latents");
  if (found == file.tensors().end()) {
    throw Error(must + "has no tensor of that name");
  }
  const TensorView& view = found->second;
  if (view.dtype != Dtype::kF32 || view.shape != shape) {
    throw Error(must + "holds " + std::string(name_of(view.dtype)) + " " + shape_text(view.shape));
  }
  return view;
}

} // namespace sdbench

#include "sdbench/front/engines/agreement.h"

#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>

#include "sdbench/base/core/dtype.h"
#include "sdbench/base/core/error.h"
#include "sdbench/base/weights/safetensors.h"

namespace sdbench {
namespace {

const TensorView& latents_of(const SafetensorsFile& file) {
  const auto found = file.tensors().find("latents");
  if (found == file.tensors().end() || found->second.dtype != Dtype::kF32) {
    throw Error(file.path().string() + " must hold the tensor \"latents\" in fp32, but does not");
  }
  return found->second;
}

/// The mapping need not be aligned.
double number_at(const TensorView& tensor, std::size_t place) {
  float number = 0;
  std::memcpy(&number, tensor.data.data() + place * sizeof number, sizeof number);
  return number;
}

} // namespace

double agreement_bound(Precision precision, std::string_view tf32) {
  constexpr double kF32 = 1e-3;
  constexpr double kF16 = 0.05;
  constexpr double kBF16 = 0.35;
  if (precision.dtype == Dtype::kF32) {
    return tf32 == "off" ? kF32 : kF16; // TF32 keeps as many bits of a factor as fp16
  }
  return precision.dtype == Dtype::kF16 ? kF16 : kBF16;
}

double latents_difference(const std::filesystem::path& theirs, const std::filesystem::path& plain) {
  const SafetensorsFile their_file(theirs);
  const SafetensorsFile plain_file(plain);
  const TensorView& ours = latents_of(plain_file);
  const TensorView& others = latents_of(their_file);
  if (ours.shape != others.shape) {
    return std::numeric_limits<double>::infinity();
  }
  double difference = 0;
  double size = 0;
  for (std::size_t place = 0; place < ours.data.size() / sizeof(float); ++place) {
    const double own = number_at(ours, place);
    difference += std::pow(number_at(others, place) - own, 2);
    size += own * own;
  }
  const double relative = std::sqrt(difference / size);
  return std::isfinite(relative) ? relative : std::numeric_limits<double>::infinity();
}

} // namespace sdbench

#include "sdbench/front/engines/agreement.h"

#include <algorithm>
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

double golden_difference(const std::filesystem::path& theirs, const GoldenFile& golden) {
  const SafetensorsFile their_file(theirs);
  const TensorView& others = latents_of(their_file);
  const TensorView& right = golden.latents();
  if (others.shape != right.shape) {
    return std::numeric_limits<double>::infinity();
  }
  double difference = 0;
  double largest = 0;
  for (std::size_t place = 0; place < right.data.size() / sizeof(float); ++place) {
    const double value = number_at(right, place);
    const double apart = std::abs(number_at(others, place) - value);
    if (!std::isfinite(apart)) {
      return std::numeric_limits<double>::infinity();
    }
    difference = std::max(difference, apart);
    largest = std::max(largest, std::abs(value));
  }
  return difference / largest;
}

} // namespace sdbench

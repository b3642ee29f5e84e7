#include "sdbench/front/other_engines/agreement.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <optional>
#include <string>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/weights/safetensors.h"
#include "sdbench/base/weights/tensor_view.h"

namespace sdbench {
namespace {

const TensorView& numbers_of(const SafetensorsFile& file, const std::string& name) {
  const auto found = file.tensors().find(name);
  if (found == file.tensors().end() || found->second.dtype != Dtype::kF32) {
    throw Error(file.path().string() + " must hold the tensor \"" + name +
                "\" in fp32, but does not");
  }
  return found->second;
}

const TensorView& latents_of(const SafetensorsFile& file) {
  return numbers_of(file, "latents");
}

/// An element of the tensor, copied because the mapping need not be aligned.
double number_at(const TensorView& tensor, std::size_t place) {
  float number = 0;
  std::memcpy(&number, tensor.data.data() + place * sizeof number, sizeof number);
  return number;
}

/// How far elements are from the right ones.
struct Difference {
  double squares = 0;       ///< sum of squares of the differences
  double right_squares = 0; ///< sum of squares of the right elements
  double largest = 0;       ///< largest absolute difference
  double right_largest = 0;
};

/// The difference; nothing if the shapes differ or a number is not finite.
std::optional<Difference> difference_of(const TensorView& others, const TensorView& right) {
  if (others.shape != right.shape) {
    return std::nullopt;
  }
  Difference difference;
  for (std::size_t place = 0; place < right.data.size() / sizeof(float); ++place) {
    const double value = number_at(right, place);
    const double apart = number_at(others, place) - value;
    if (!std::isfinite(apart)) {
      return std::nullopt;
    }
    difference.squares += apart * apart;
    difference.right_squares += value * value;
    difference.largest = std::max(difference.largest, std::abs(apart));
    difference.right_largest = std::max(difference.right_largest, std::abs(value));
  }
  return difference;
}

/// The value, or infinity if it is unknown or came from a division by zero.
double finite_or_infinity(double value) {
  return std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
}

/// max|a - b| / max|b|.
double largest_part(const std::optional<Difference>& found) {
  return finite_or_infinity(found ? found->largest / found->right_largest : NAN);
}

} // namespace

double latents_difference(const std::filesystem::path& theirs, const std::filesystem::path& plain) {
  const SafetensorsFile their_file(theirs);
  const SafetensorsFile plain_file(plain);
  const auto found = difference_of(latents_of(their_file), latents_of(plain_file));
  return finite_or_infinity(found ? std::sqrt(found->squares / found->right_squares) : NAN);
}

double golden_difference(const std::filesystem::path& theirs, const GoldenFile& golden) {
  const SafetensorsFile their_file(theirs);
  return largest_part(difference_of(latents_of(their_file), golden.latents()));
}

double golden_logits_difference(const std::filesystem::path& theirs, const GoldenFile& golden) {
  const SafetensorsFile their_file(theirs);
  const TensorView& right = golden.logits();
  TensorView first = numbers_of(their_file, "logits");
  if (!first.shape.empty() && first.shape.front() > right.shape.front()) {
    first.shape.front() = right.shape.front();
    if (first.shape == right.shape) {
      first.data = first.data.first(right.data.size());
    }
  }
  return largest_part(difference_of(first, right));
}

} // namespace sdbench

#include "sdbench/engine/worker/product_rate.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "sdbench/base/system/steady_clock.h"

namespace sdbench {

double product_rate(c10::ScalarType dtype, double enough_s) {
  constexpr std::int64_t kSide = 1024;
  // oneDNN computes a 1x1 convolution as a matrix product, like most of a UNet. at::mm in fp32 uses
  // another library, which on some processors reaches less than half of that rate.
  constexpr std::int64_t kRows = 32;
  const at::Tensor image =
      at::ones({1, kSide, kRows, kSide / kRows}, dtype).contiguous(at::MemoryFormat::ChannelsLast);
  const at::Tensor weight =
      at::ones({kSide, kSide, 1, 1}, dtype).contiguous(at::MemoryFormat::ChannelsLast);
  double fastest = 0;
  const double begin_s = steady_seconds();
  for (double start_s = begin_s; fastest == 0 || start_s - begin_s < enough_s;) {
    static_cast<void>(at::conv2d(image, weight));
    const double end_s = steady_seconds();
    const double seconds = std::max(end_s - start_s, 1e-9);
    fastest = std::max(fastest, 2 * std::pow(static_cast<double>(kSide), 3) / seconds);
    start_s = end_s;
  }
  return fastest;
}

double ProductRates::of(c10::ScalarType dtype) {
  const auto [known, is_new] = known_.try_emplace({dtype, at::get_num_threads()}, 0);
  if (is_new) {
    known->second = product_rate(dtype);
  }
  return known->second;
}

} // namespace sdbench

#include "sdbench/worker/product_rate.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>

#include <ATen/ATen.h>

namespace sdbench {

double product_rate(c10::ScalarType dtype) {
  using Clock = std::chrono::steady_clock;
  constexpr std::int64_t kSide = 1024;
  constexpr double kEnough = 0.4; // seconds
  const at::Tensor a = at::ones({kSide, kSide}, dtype);
  const at::Tensor b = at::ones({kSide, kSide}, dtype);
  double fastest = 0;
  const Clock::time_point begin = Clock::now();
  for (Clock::time_point start = begin;
       fastest == 0 || std::chrono::duration<double>(start - begin).count() < kEnough;) {
    static_cast<void>(at::mm(a, b));
    const Clock::time_point end = Clock::now();
    const double seconds = std::max(std::chrono::duration<double>(end - start).count(), 1e-9);
    fastest = std::max(fastest, 2 * std::pow(static_cast<double>(kSide), 3) / seconds);
    start = end;
  }
  return fastest;
}

} // namespace sdbench

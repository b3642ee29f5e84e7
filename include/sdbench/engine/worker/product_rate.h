#pragma once

#include <map>
#include <utility>

#include <c10/core/ScalarType.h>

namespace sdbench {

/// Measures this processor's FLOP/s in `dtype` for products of matrices as large as those of a
/// UNet. Takes about `enough_s` seconds, and uses libtorch's number of threads.
[[nodiscard]] double product_rate(c10::ScalarType dtype, double enough_s = 0.4);

/// Calls product_rate() only once for each dtype and number of threads, and keeps the result. So
/// the estimates of many cells use the same rate, and more work is never estimated to take less
/// time.
class ProductRates {
public:
  [[nodiscard]] double of(c10::ScalarType dtype);

private:
  std::map<std::pair<c10::ScalarType, int>, double> known_;
};

} // namespace sdbench

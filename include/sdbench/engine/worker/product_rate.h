#pragma once

#include <map>
#include <utility>

#include <c10/core/ScalarType.h>

namespace sdbench {

/// FLOP/s of this processor for products of matrices in `dtype` as large as a UNet's. Measures for
/// less than a second, with libtorch's number of threads.
[[nodiscard]] double product_rate(c10::ScalarType dtype);

/// Measures the same once for each dtype and number of threads. Estimates of many cells then share
/// one rate, so that more work is never estimated to take less time.
class ProductRates {
public:
  [[nodiscard]] double of(c10::ScalarType dtype);

private:
  std::map<std::pair<c10::ScalarType, int>, double> known_;
};

} // namespace sdbench

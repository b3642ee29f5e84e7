#include "sdbench/engine/nn/with_rows.h"

#include <cstdint>
#include <vector>

#include <ATen/ATen.h>

namespace sdbench {

at::Tensor with_rows(const at::Tensor& x, std::int64_t rows) {
  const std::int64_t times = rows / x.size(0);
  // at::repeat would make the result contiguous, whatever the format of x.
  return times == 1 ? x : at::cat(std::vector<at::Tensor>(static_cast<std::size_t>(times), x));
}

} // namespace sdbench

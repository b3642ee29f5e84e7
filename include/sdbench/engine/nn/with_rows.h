#pragma once

#include <ATen/core/Tensor.h>

namespace sdbench {

/// x [B, ...] again and again until there are `rows`, a multiple of B. The order in memory is kept.
[[nodiscard]] at::Tensor with_rows(const at::Tensor& x, std::int64_t rows);

} // namespace sdbench

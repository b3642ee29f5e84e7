#pragma once

#include <ATen/core/Tensor.h>

namespace sdbench {

/// x [B, ...] repeated to `rows` rows, a multiple of B. Keeps the memory order.
[[nodiscard]] at::Tensor with_rows(const at::Tensor& x, std::int64_t rows);

} // namespace sdbench

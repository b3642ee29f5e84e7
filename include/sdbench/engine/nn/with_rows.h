#pragma once

#include <ATen/core/Tensor.h>

namespace sdbench {

/// Repeats the batch x [B, ...] to [rows, ...]; B must divide `rows`. Keeps the memory format.
[[nodiscard]] at::Tensor with_rows(const at::Tensor& x, std::int64_t rows);

} // namespace sdbench

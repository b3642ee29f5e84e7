#pragma once

#include <ATen/core/Tensor.h>

namespace sdbench {

/// Repeats the batch x [B, ...] until it has `rows` rows, a multiple of B. Keeps the memory format.
[[nodiscard]] at::Tensor with_rows(const at::Tensor& x, std::int64_t rows);

} // namespace sdbench

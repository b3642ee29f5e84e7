#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "sdbench/engine/nn/attention_kernel.h"

namespace sdbench {

/// Computes one attention and waits for the result. Throws what the kernel throws.
using AttentionAttempt = std::function<void(const at::Tensor& q, const at::Tensor& k,
                                            const at::Tensor& v, const AttendOptions& options)>;

/// Returns the device's free bytes. Asked only after a failure, to tell want of memory from others.
using FreeBytes = std::function<std::int64_t()>;

/// On a GPU, runs attend() and waits. Does nothing on a CPU, where a chosen kernel never fails.
void attempt_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                       const AttendOptions& options);

/// Makes sure that attend() can compute these shapes. libtorch chooses a kernel by shape without
/// trying it, so the kernel may fail: for example, cuDNN fails if it has no plan for this GPU. A
/// kernel that fails is no longer used for this AttentionKind in this process, and the next kernel
/// is tried. Returns a line for each kernel that attend() would use but that has failed, now or
/// earlier in this process. Must not be called during graph capture. The values in q, k and v do
/// not matter. Throws c10::OutOfMemoryError and other errors for a lack of device memory.
[[nodiscard]] std::vector<std::string>
settle_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                 const AttendOptions& options, const AttentionAttempt& attempt = attempt_attention,
                 const FreeBytes& free_bytes = {});

} // namespace sdbench

#include "sdbench/engine/nn/attention_trial.h"

#include <algorithm>
#include <array>
#include <exception>
#include <optional>

#include <ATen/ATen.h>
#include <c10/util/Exception.h>

#include "sdbench/base/errors/message_of.h"
#include "sdbench/engine/nn/device_out_of_memory.h"
#include "sdbench/engine/nn/sdp_backend.h"

namespace sdbench {
namespace {

constexpr std::array kFusedKernels{at::SDPBackend::cudnn_attention, at::SDPBackend::flash_attention,
                                   at::SDPBackend::efficient_attention};

bool can_be_given_up(std::optional<at::SDPBackend> backend) {
  return backend && std::ranges::count(kFusedKernels, *backend) > 0;
}

} // namespace

void attempt_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                       const AttendOptions& options) {
  if (q.is_cuda()) { // reading one element waits until all are computed
    static_cast<void>(attend(q, k, v, options).flatten().select(0, 0).item());
  }
}

std::vector<std::string> settle_attention(const at::Tensor& q, const at::Tensor& k,
                                          const at::Tensor& v, const AttendOptions& options,
                                          const AttentionAttempt& attempt,
                                          const FreeBytes& free_bytes) {
  const AttentionKind kind{q.size(-1), options.causal};
  auto kernel = libtorch_kernel(q, k, v, options);
  while (can_be_given_up(kernel)) {
    try {
      attempt(q, k, v, options);
      break;
    } catch (const c10::OutOfMemoryError&) { // no other kernel needs less memory
      throw;
    } catch (const std::exception& error) {
      const auto free = free_bytes ? std::optional(free_bytes()) : std::nullopt;
      if (is_device_out_of_memory(message_of(error), free)) {
        throw;
      }
      give_up(*kernel, kind, first_line_of(error));
      kernel = libtorch_kernel(q, k, v, options);
    }
  }
  const auto asked = fused_backend(options.kernel);
  std::vector<std::string> lines;
  for (const at::SDPBackend failed : kFusedKernels) {
    const std::string reason = reason_given_up(failed, kind);
    if (kernel && !reason.empty() && (!asked || asked == failed)) {
      lines.push_back(std::string(name_of(failed)) + " attention does not work for heads " +
                      std::to_string(kind.head_width) + " wide: " + reason + "; " +
                      std::string(name_of(*kernel)) + " instead");
    }
  }
  return lines;
}

} // namespace sdbench

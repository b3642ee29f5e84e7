#include "sdbench/nn/attention_trial.h"

#include <exception>
#include <optional>

#include <ATen/ATen.h>
#include <c10/util/Exception.h>

#include "sdbench/core/message_of.h"
#include "sdbench/nn/device_out_of_memory.h"
#include "sdbench/nn/sdp_backend.h"

namespace sdbench {
namespace {

bool can_be_given_up(std::optional<at::SDPBackend> backend) {
  return backend == at::SDPBackend::cudnn_attention || backend == at::SDPBackend::flash_attention ||
         backend == at::SDPBackend::efficient_attention;
}

std::string first_line_of(const std::exception& error) {
  const std::string text = message_of(error);
  return text.substr(0, text.find('\n'));
}

} // namespace

void attempt_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                       const AttendOptions& options) {
  if (q.is_cuda()) { // an element on the host is there when all of them are
    static_cast<void>(attend(q, k, v, options).flatten().select(0, 0).item());
  }
}

std::vector<std::string> settle_attention(const at::Tensor& q, const at::Tensor& k,
                                          const at::Tensor& v, const AttendOptions& options,
                                          const AttentionAttempt& attempt) {
  std::vector<std::string> given_up;
  auto kernel = libtorch_kernel(q, k, v, options);
  while (can_be_given_up(kernel)) {
    try {
      attempt(q, k, v, options);
      break;
    } catch (const c10::OutOfMemoryError&) { // no other kernel takes less
      throw;
    } catch (const std::exception& error) {
      if (is_device_out_of_memory(message_of(error))) {
        throw;
      }
      const std::string reason = first_line_of(error);
      give_up(*kernel, {q.size(-1), options.causal}, reason);
      const auto instead = libtorch_kernel(q, k, v, options);
      given_up.push_back(std::string(name_of(*kernel)) + " attention cannot be had for heads " +
                         std::to_string(q.size(-1)) + " wide: " + reason + "; " +
                         std::string(name_of(*instead)) + " instead");
      kernel = instead;
    }
  }
  return given_up;
}

} // namespace sdbench

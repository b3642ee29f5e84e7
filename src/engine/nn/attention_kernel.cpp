#include "sdbench/engine/nn/attention_kernel.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <ATen/ATen.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/text/named.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/engine/kernels/cpu_instructions.h"
#include "sdbench/engine/nn/blocked_attention.h"
#include "sdbench/engine/nn/scalar_type.h"
#include "sdbench/engine/nn/sdp_backend.h"

namespace sdbench {
namespace {

constexpr Named<Attention> kKernels[] = {
    {Attention::kAuto, "auto"},     {Attention::kMath, "math"},
    {Attention::kSliced, "sliced"}, {Attention::kEfficient, "efficient"},
    {Attention::kFlash, "flash"},   {Attention::kCudnn, "cudnn"},
    {Attention::kOwn, "own"},       {Attention::kBlocked, "blocked"},
};

[[noreturn]] void refuse(const at::Tensor& q, Attention kernel) {
  const bool is_own = kernel == Attention::kOwn && q.is_cpu();
  const std::string limit = is_own ? limit_on(q.scalar_type()) : "";
  const auto backend = fused_backend(kernel);
  const std::string failure = backend ? reason_given_up(*backend, {q.size(-1), false}) : "";
  throw Error("--attention must be a kernel that runs on " + q.device().str() + " in " +
              std::string(name_of(to_dtype(q.scalar_type()))) + " with heads " +
              std::to_string(q.size(-1)) + " wide" + (limit.empty() ? "" : " under " + limit) +
              ", but is " + std::string(name_of(kernel)) +
              (failure.empty() ? "" : ", which fails there (" + failure + ")") +
              "; use --attention auto");
}

/// True if attend() computes the attention without libtorch's choice of kernels.
bool is_ours(const at::Tensor& q, const AttendOptions& options) {
  return options.kernel == Attention::kMath ||
         (options.kernel == Attention::kSliced && !options.causal) ||
         (options.kernel == Attention::kBlocked && !options.causal) ||
         (options.kernel == Attention::kOwn && !options.causal &&
          own_attention(q.device(), q.scalar_type()));
}

/// Half the heads at a time, over batch x heads flattened, like diffusers' SlicedAttnProcessor.
at::Tensor sliced(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, bool upcast) {
  const std::int64_t slice = std::max<std::int64_t>(1, q.size(1) / 2);
  const double scale = 1.0 / std::sqrt(static_cast<double>(q.size(-1)));
  const at::ScalarType score_dtype = upcast ? at::kFloat : q.scalar_type();
  const at::Tensor queries = q.flatten(0, 1); // [B * heads, N, D]
  const at::Tensor keys = k.flatten(0, 1).transpose(1, 2);
  const at::Tensor values = v.flatten(0, 1);
  const at::Tensor unused = at::empty({1}, q.options().dtype(score_dtype)); // beta = 0: never read
  at::Tensor out = at::empty_like(queries, at::MemoryFormat::Contiguous);
  for (std::int64_t begin = 0; begin < queries.size(0); begin += slice) {
    const std::int64_t end = std::min(begin + slice, queries.size(0));
    const at::Tensor scores =
        at::baddbmm(unused, queries.slice(0, begin, end).to(score_dtype),
                    keys.slice(0, begin, end).to(score_dtype), 0, scale); // [slice, N, M]
    const at::Tensor weights = scores.softmax(-1).to(q.scalar_type());
    out.slice(0, begin, end).copy_(at::bmm(weights, values.slice(0, begin, end)));
  }
  return out.view(q.sizes());
}

} // namespace

std::string_view name_of(Attention kernel) {
  return name_in(kKernels, kernel);
}

std::optional<at::SDPBackend> fused_backend(Attention kernel) {
  switch (kernel) {
  case Attention::kFlash:
    return at::SDPBackend::flash_attention;
  case Attention::kEfficient:
    return at::SDPBackend::efficient_attention;
  case Attention::kCudnn:
    return at::SDPBackend::cudnn_attention;
  default:
    return std::nullopt;
  }
}

std::optional<Attention> attention_from_name(std::string_view name) {
  const std::optional<Attention> kernel = value_named(kKernels, name);
  return kernel == Attention::kBlocked ? std::nullopt : kernel;
}

at::Tensor attend(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                  const AttendOptions& options) {
  const bool causal = options.causal;
  if (options.kernel == Attention::kSliced && !causal) {
    return sliced(q, k, v, options.upcast_scores);
  }
  if (options.kernel == Attention::kBlocked && !causal) {
    return blocked_attention(q, k, v);
  }
  if (options.kernel == Attention::kMath) {
    return std::get<0>(at::_scaled_dot_product_attention_math(q, k, v, {}, 0.0, causal));
  }
  if (options.kernel == Attention::kOwn && !causal) {
    if (const auto instructions = own_attention(q.device(), q.scalar_type())) {
      return cpu_attention(q, k, v, *instructions);
    }
  }
  return sdp(q, k, v, causal, fused_backend(options.kernel));
}

std::optional<at::SDPBackend> libtorch_kernel(const at::Tensor& q, const at::Tensor& k,
                                              const at::Tensor& v, const AttendOptions& options) {
  return is_ours(q, options)
             ? std::nullopt
             : std::optional(sdp_backend(q, k, v, options.causal, fused_backend(options.kernel)));
}

std::optional<CpuInstructions> own_attention(at::Device device, at::ScalarType dtype) {
  return device.is_cpu() ? cpu_instructions(dtype) : std::nullopt;
}

std::string attention_used(const at::Tensor& q, Attention kernel) {
  std::string name = attention_instead(q, kernel);
  const bool is_another = kernel == Attention::kOwn
                              ? !own_attention(q.device(), q.scalar_type())
                              : fused_backend(kernel) && name != name_of(kernel);
  if (is_another) {
    refuse(q, kernel);
  }
  return name;
}

std::string attention_instead(const at::Tensor& q, Attention kernel) {
  if (kernel == Attention::kSliced || kernel == Attention::kMath || kernel == Attention::kBlocked) {
    return std::string(name_of(kernel));
  }
  if (kernel == Attention::kOwn) {
    if (const auto instructions = own_attention(q.device(), q.scalar_type())) {
      return std::string(name_of(*instructions));
    }
  }
  return std::string(name_of(sdp_backend(q, q, q, false, fused_backend(kernel))));
}

} // namespace sdbench

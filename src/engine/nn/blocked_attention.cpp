#include "sdbench/engine/nn/blocked_attention.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <ATen/ATen.h>

#include "sdbench/engine/nn/libtorch_version.h"

namespace sdbench {
namespace {

/// True if a GPU multiplies `q` in 16 bits, which is much faster there than in fp32.
bool is_half_on_gpu(const at::Tensor& q) {
  return q.is_cuda() && q.scalar_type() != at::kFloat;
}

/// scale q k in fp32.
at::Tensor wide_scores(const at::Tensor& q, const at::Tensor& k, double scale) {
#ifdef SDBENCH_PRODUCTS_CAN_WIDEN
  if (is_half_on_gpu(q)) {
    at::Tensor scores = at::empty({q.size(0), q.size(1), k.size(2)}, q.options().dtype(at::kFloat));
    // beta = 0: the scores are written, but not read. Without a tensor to write to, baddbmm() would
    // want one of this size to add, and would copy it.
    return at::baddbmm_out(scores, scores, q, k, at::kFloat, 0, scale);
  }
#endif
  const at::Tensor unused = at::empty({1}, q.options().dtype(at::kFloat)); // beta = 0: never read
  return at::baddbmm(unused, q.to(at::kFloat), k.to(at::kFloat), 0, scale);
}

at::Tensor weights_of(const at::Tensor& q, const at::Tensor& k, double scale) {
  const bool is_narrow = is_half_on_gpu(q) && !can_widen_products(q.scalar_type());
  return is_narrow ? weights_of_shifted_scores(q, k, scale) : weights_of_wide_scores(q, k, scale);
}

} // namespace

bool can_widen_products([[maybe_unused]] at::ScalarType dtype) {
#ifdef SDBENCH_PRODUCTS_CAN_WIDEN
  return dtype != at::kHalf || !at::globalContext().allowFP16AccumulationCuBLAS();
#else
  return false;
#endif
}

at::Tensor weights_of_wide_scores(const at::Tensor& q, const at::Tensor& k, double scale) {
  at::Tensor weights = wide_scores(q, k, scale);
  weights = weights.softmax(-1); // frees the scores, before a third tensor is made
  return weights.to(q.scalar_type());
}

at::Tensor weights_of_shifted_scores(const at::Tensor& q, const at::Tensor& k, double scale) {
  const at::Tensor unused = at::empty({1}, q.options()); // beta = 0: never read
  const at::Tensor largest = at::baddbmm(unused, q, k, 0, scale).amax(-1, /*keepdim=*/true);
  return at::baddbmm(largest.neg(), q, k, 1, scale).softmax(-1);
}

at::Tensor blocked_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                             std::int64_t most) {
  const double scale = 1.0 / std::sqrt(static_cast<double>(q.size(-1)));
  const at::Tensor queries = q.flatten(0, 1); // [B * heads, N, D]
  const at::Tensor keys = k.flatten(0, 1).transpose(1, 2);
  const at::Tensor values = v.flatten(0, 1);
  const std::int64_t at_once = std::max<std::int64_t>(1, most / (queries.size(0) * values.size(1)));
  std::vector<at::Tensor> answers;
  for (const at::Tensor& block : queries.split(at_once, 1)) {
    answers.push_back(at::bmm(weights_of(block, keys, scale), values));
  }
  return at::cat(answers, 1).view(q.sizes());
}

} // namespace sdbench

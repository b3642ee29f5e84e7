#include "sdbench/engine/kernels/cpu_attention.h"

#include <cstdint>
#include <string>

#include "attention_forms.h"
#include "kit.h"
#include "sdbench/base/errors/error.h"

namespace sdbench {

namespace kernels {

at::Tensor with_dense_rows(const at::Tensor& x) {
  return x.stride(-1) == 1 ? x : x.contiguous();
}

} // namespace kernels

at::Tensor cpu_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                         CpuInstructions instructions) {
  const at::ScalarType dtype = dtype_of(instructions);
  if (q.scalar_type() != dtype || k.scalar_type() != dtype || v.scalar_type() != dtype) {
    throw Error("attention in " + std::string(name_of(instructions)) + " must be given " +
                c10::toString(dtype) + ", but is given " + c10::toString(q.scalar_type()) + ", " +
                c10::toString(k.scalar_type()) + " and " + c10::toString(v.scalar_type()) +
                "; use --attention flash");
  }
  for (const std::int64_t i : {0, 1, 3}) {
    if (k.size(i) != q.size(i) || v.size(i) != q.size(i)) {
      throw Error("sdbench's own attention must get as many images and heads of one width in q, k "
                  "and v, but dimension " +
                  std::to_string(i) + " is " + std::to_string(q.size(i)) + ", " +
                  std::to_string(k.size(i)) + " and " + std::to_string(v.size(i)));
    }
  }
  if (k.size(2) != v.size(2)) {
    throw Error("sdbench's own attention must get a value for each key, but there are " +
                std::to_string(k.size(2)) + " keys and " + std::to_string(v.size(2)) + " values");
  }
  const kernels::Kit& kit = kernels::kit_of(instructions); // throws if this build lacks them
  return dtype == at::kFloat ? kernels::attend_in_lanes(kit, q, k, v)
                             : kernels::attend_in_panels(kit, q, k, v);
}

} // namespace sdbench

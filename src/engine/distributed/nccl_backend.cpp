#include "nccl_backend.h"

#include "sdbench/base/errors/error.h"

#ifdef SDBENCH_HAS_CUDA
// The wheel has NCCL's header, and the headers of CUDA's libraries that libtorch's own includes.
#if __has_include(<nccl.h>) && __has_include(<cusolverDn.h>)
#define SDBENCH_HAS_NCCL
#define USE_C10D_NCCL
// The headers of CUDA's small floating-point types need <nv/target>, which a CUDA toolkit has but
// the wheel lacks. Here they are included by others, which only declare pointers to those types. So
// we mark these headers as already included.
#define __CUDA_FP16_H__
#define __CUDA_BF16_H__
#define __CUDA_FP8_H__
struct __half;
struct __nv_bfloat16;
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#endif
#endif

namespace sdbench {

#ifdef SDBENCH_HAS_NCCL
c10::intrusive_ptr<c10d::Backend> make_nccl_backend(const c10::intrusive_ptr<c10d::Store>& store,
                                                    int number, int count,
                                                    std::chrono::milliseconds patience) {
  const auto options = c10d::ProcessGroupNCCL::Options::create();
  options->timeout = patience;
  return c10::make_intrusive<c10d::ProcessGroupNCCL>(store, number, count, options);
}
#else
c10::intrusive_ptr<c10d::Backend>
make_nccl_backend(const c10::intrusive_ptr<c10d::Store>& /*store*/, int /*number*/, int /*count*/,
                  std::chrono::milliseconds /*patience*/) {
  throw Error(
      "this libtorch must have NCCL for GPUs that share a batch, but was built here without "
      "its headers; take the torch wheel, or --share each");
}
#endif

} // namespace sdbench

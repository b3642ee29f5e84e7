#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace sdbench {

class GpuKernels;

/// Computes once.
using Operator = std::function<at::Tensor()>;

/// Device and dtype of the computation, and the measured peaks.
struct OperatorPlace {
  at::Device device;
  at::ScalarType dtype;
  std::string name; ///< "bf16"
  double flop_per_s = 0;
  double byte_per_s = 0;
  std::shared_ptr<const GpuKernels> gpu_kernels = {}; ///< null on a CPU, or if there are none

  [[nodiscard]] at::Tensor random(at::IntArrayRef shape) const;
};

/// The dtypes of a device: fp32 and bf16 on a processor, fp16 and bf16 on a GPU. Measures their
/// peaks (the best of square matrix products, and of copying) and prints them. If a GPU has none of
/// our kernels, prints the reason.
[[nodiscard]] std::vector<OperatorPlace> places_of(at::Device device);

/// An operator's cost. Its rate is by arithmetic, or if `flop` is 0, by memory.
struct OperatorCost {
  double flop = 0;
  double bytes = 0;
};

/// Registers a measurement "<dtype>/<name>" with Google Benchmark. `make` builds the operator with
/// its weights and inputs, which exist only while it runs. On a GPU it is built several times if
/// memory decides the time, so that memory is measured, not the cache.
void register_operator(const OperatorPlace& place, const std::string& name, OperatorCost cost,
                       const std::function<Operator()>& make);

} // namespace sdbench

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

/// Where and in what is computed, and the most that was seen of it.
struct OperatorPlace {
  at::Device device;
  at::ScalarType dtype;
  std::string name; ///< "bf16"
  double flop_per_s = 0;
  double byte_per_s = 0;
  std::shared_ptr<const GpuKernels> gpu_kernels = {}; ///< null on a CPU and where there are none

  [[nodiscard]] at::Tensor random(at::IntArrayRef shape) const;
};

/// The dtypes of a device: fp32 and bf16 on a processor, fp16 and bf16 on a GPU. Measures their
/// peaks (the best of square matrix products, and of copying) and prints them, and why a GPU has no
/// kernels of ours.
[[nodiscard]] std::vector<OperatorPlace> places_of(at::Device device);

/// What an operator takes: it is known by its arithmetic, or, where that is nothing, by its memory.
struct OperatorCost {
  double flop = 0;
  double bytes = 0;
};

/// Has Google Benchmark measure it as "<dtype>/<name>". `make` builds the operator with its weights
/// and inputs, which are there only while it runs; on a GPU several times where memory decides, so
/// that it is memory that is measured and not the cache.
void register_operator(const OperatorPlace& place, const std::string& name, OperatorCost cost,
                       const std::function<Operator()>& make);

} // namespace sdbench

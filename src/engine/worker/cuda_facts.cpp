#include "sdbench/engine/worker/cuda_facts.h"

#include <sstream>
#include <string>

#include "sdbench/base/device/cuda_driver.h"

#ifdef SDBENCH_HAS_CUDA
// The only ATen/cuda header here: others need parts of a CUDA toolkit that the wheel lacks.
#include <ATen/Context.h>
#include <ATen/cuda/CachingHostAllocator.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>

#include "sdbench/base/device/gpu_architecture.h"
#include "sdbench/base/device/gpu_names.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/engine/nn/cudnn_number.h"
#include "sdbench/engine/nn/libtorch_version.h"
#endif

namespace sdbench {

std::string parse_nvidia_driver_version(const std::string& text) {
  // "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  Sun Jul 27 …": the first word of
  // digits and dots.
  std::istringstream words(text.substr(0, text.find('\n')));
  for (std::string word; words >> word;) {
    if (word.find_first_not_of("0123456789.") == std::string::npos &&
        word.find('.') != std::string::npos) {
      return word;
    }
  }
  return "";
}

#ifdef SDBENCH_HAS_CUDA
namespace {

c10::DeviceIndex device_index(int index) {
  return static_cast<c10::DeviceIndex>(index);
}

std::string driver_version() {
  return parse_nvidia_driver_version(read_or_empty("/proc/driver/nvidia/version"));
}

struct DeviceMemory {
  std::size_t free = 0;
  std::size_t total = 0;
};

DeviceMemory device_memory(int index) {
  const c10::cuda::CUDAGuard guard(device_index(index));
  DeviceMemory memory;
  C10_CUDA_CHECK(cudaMemGetInfo(&memory.free, &memory.total));
  return memory;
}

// These two calls do not use libtorch's checking macro: it also looks for devices, and throws if
// the driver is broken.
int runtime_version() {
  int version = 0;
  return cudaRuntimeGetVersion(&version) == cudaSuccess ? version : 0;
}

/// The newest CUDA version that the driver supports. 0 without a driver, or if the query fails.
int driver_cuda_version() {
  int version = 0;
  return cudaDriverGetVersion(&version) == cudaSuccess ? version : 0;
}

std::string cudnn_version() {
  const at::CUDAHooksInterface& hooks = at::detail::getCUDAHooks();
  return hooks.hasCuDNN() ? cudnn_version_text(cudnn_number(hooks)) : "";
}

DeviceInfo describe(int index) {
  cudaDeviceProp properties{};
  C10_CUDA_CHECK(cudaGetDeviceProperties(&properties, index));
  DeviceInfo info;
  info.kind = DeviceKind::kCuda;
  info.name = properties.name;
  info.arch = gpu_generation(properties.major, properties.minor);
  info.compute_capability =
      std::to_string(properties.major) + "." + std::to_string(properties.minor);
  info.driver_version = driver_version();
  info.index = index;
  info.memory_total_bytes = static_cast<std::int64_t>(properties.totalGlobalMem);
  info.uuid = gpu_uuid_text(properties.uuid.bytes);
  info.pci_address = pci_address_text(static_cast<std::uint32_t>(properties.pciDomainID),
                                      static_cast<std::uint32_t>(properties.pciBusID),
                                      static_cast<std::uint32_t>(properties.pciDeviceID));
  info.sm_count = properties.multiProcessorCount;
  info.cuda_runtime_version = cuda_version_text(runtime_version());
  info.cuda_driver_version = cuda_version_text(driver_cuda_version());
  info.cudnn_version = cudnn_version();
  return info;
}

} // namespace

std::vector<DeviceInfo> cuda_devices() {
  std::vector<DeviceInfo> devices;
  if (at::hasCUDA()) {
    at::globalContext().lazyInitDevice(c10::DeviceType::CUDA);
    for (int index = 0; index < c10::cuda::device_count(); ++index) {
      devices.push_back(describe(index));
    }
  }
  return devices;
}

CudaObstacle why_no_cuda_device() {
  // libtorch counts no device whatever the reason, and only warns on stderr.
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  static_cast<void>(cudaGetLastError()); // clears the error: the next caller would get it
  return cuda_obstacle({.code = static_cast<int>(code),
                        .words = cudaGetErrorString(code),
                        .driver_cuda = driver_cuda_version(),
                        .runtime_cuda = runtime_version(),
                        .driver_version = driver_version()},
                       cuda_library());
}

std::int64_t cuda_memory_free_bytes(int index) {
  return static_cast<std::int64_t>(device_memory(index).free);
}

std::int64_t cuda_memory_held_bytes(int index) {
  constexpr auto kAggregate = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
  return c10::cuda::CUDACachingAllocator::getDeviceStats(device_index(index))
      .reserved_bytes[kAggregate]
      .current;
}

void empty_cuda_cache() {
  c10::cuda::CUDACachingAllocator::emptyCache();
}

void empty_pinned_cache() {
#ifdef SDBENCH_PINNED_MEMORY_HAS_POOLS
  at::getHostAllocator(at::kCUDA)->empty_cache();
#else
  at::cuda::CachingHostAllocator_emptyCache();
#endif
}

CudaMemoryWatch::CudaMemoryWatch(int index)
    : index_(index),
      allocations_(
          c10::cuda::CUDACachingAllocator::getDeviceStats(device_index(index)).num_device_alloc) {
  c10::cuda::CUDACachingAllocator::resetPeakStats(device_index(index));
}

void CudaMemoryWatch::report(CellResult& result) const {
  constexpr auto kAggregate = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
  const auto stats = c10::cuda::CUDACachingAllocator::getDeviceStats(device_index(index_));
  result.peak_device_allocated_bytes = stats.allocated_bytes[kAggregate].peak;
  result.peak_device_reserved_bytes = stats.reserved_bytes[kAggregate].peak;
  // The caching allocator keeps the memory that it took. So the memory used after the runs is the
  // peak of the runs.
  const DeviceMemory memory = device_memory(index_);
  result.peak_device_used_bytes = static_cast<std::int64_t>(memory.total - memory.free);
  if (stats.num_device_alloc > allocations_) {
    result.flags.emplace_back("allocating");
  }
}
#else
std::vector<DeviceInfo> cuda_devices() {
  return {};
}
CudaObstacle why_no_cuda_device() {
  return cuda_obstacle_without_runtime(cuda_library());
}
std::int64_t cuda_memory_free_bytes(int) {
  return 0;
}
std::int64_t cuda_memory_held_bytes(int) {
  return 0;
}
void empty_cuda_cache() {}
void empty_pinned_cache() {}
CudaMemoryWatch::CudaMemoryWatch(int index) : index_(index) {}
void CudaMemoryWatch::report(CellResult&) const {}
#endif

} // namespace sdbench

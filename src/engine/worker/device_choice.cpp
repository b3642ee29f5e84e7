#include "sdbench/engine/worker/device_choice.h"

#include <charconv>
#include <cstdint>

#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/device/device_name.h"
#include "sdbench/base/device/gpu_architecture.h"
#include "sdbench/base/device/host.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/engine/nn/packed_weights.h"
#include "sdbench/engine/worker/cuda_facts.h"

namespace sdbench {
namespace {

c10::Device torch_device(DeviceKind kind) {
  return c10::Device(std::string(row_of(kind).torch_type));
}

std::string list_devices(const std::vector<DeviceInfo>& gpus) {
  std::string list(name_of(cpu_kind()));
  for (const DeviceInfo& device : gpus) {
    list +=
        ", " + typed_name({.kind = device.kind, .number = device.index}) + " (" + device.name + ")";
  }
  return list;
}

struct Capability {
  int major = 0;
  int minor = 0;
};

/// Capability of a device from its text, like "8.6".
Capability capability_of(const DeviceInfo& device) {
  Capability capability;
  const char* const end = device.compute_capability.data() + device.compute_capability.size();
  const char* const dot =
      std::from_chars(device.compute_capability.data(), end, capability.major).ptr;
  if (dot != end) {
    std::from_chars(dot + 1, end, capability.minor);
  }
  return capability;
}

/// The first generation with tensor cores for bf16 and TF32.
bool is_ampere_or_newer(const DeviceInfo& device) {
  constexpr int kAmpere = 8;
  return capability_of(device).major >= kAmpere;
}

} // namespace

c10::Device choose_device(const std::string& asked, const std::vector<DeviceInfo>& gpus) {
  if (is_cpu(kind_asked(asked)) || (asked == kAutoDevice && gpus.empty())) {
    return torch_device(cpu_kind());
  }
  const DeviceInfo* const found = find_device(asked, gpus);
  if (found == nullptr) {
    throw Error(
        "--device must be one that is here (" + list_devices(gpus) + "), but is " + asked +
        "; name one of these, or leave --device out (nvidia-smi shows what the driver sees)");
  }
  return {torch_device(found->kind.value()).type(), static_cast<c10::DeviceIndex>(found->index)};
}

c10::Device choose_device(const Cell& cell, const std::vector<DeviceInfo>& gpus,
                          const std::string& why_no_gpu) {
  if (is_gpu_of_torch(kind_asked(cell.device)) && gpus.empty()) {
    throw Error("--device must be one that is here, but there is no " + cell.device + ": " +
                why_no_gpu + "; or name one of sdbench list devices, or leave --device out");
  }
  return choose_device(cell.device_in_worker.empty() ? cell.device : cell.device_in_worker, gpus);
}

DeviceInfo describe_device(c10::Device device, const std::vector<DeviceInfo>& gpus) {
  DeviceInfo info;
  if (device.is_cuda()) {
    info = gpus.at(static_cast<std::size_t>(device.index()));
  } else {
    info.kind = cpu_kind();
    info.name = cpu_name();
    info.arch = cpu_vector_set();
    info.memory_total_bytes = host_memory_total_bytes();
  }
  info.memory_free_bytes = free_memory_bytes(device);
  return info;
}

bool has_bf16(const DeviceInfo& device) {
  return is_cpu(device.kind) ? cpu_has_bf16() && onednn_has_bf16() : is_ampere_or_newer(device);
}

bool has_tf32(const DeviceInfo& device) {
  return is_gpu_of_torch(device.kind) && is_ampere_or_newer(device);
}

bool has_tensor_cores(const DeviceInfo& device) {
  const Capability capability = capability_of(device);
  const auto known = gpu_architecture(capability.major, capability.minor, device.name);
  return is_gpu_of_torch(device.kind) &&
         (!known || known->tensor_core_generation > 0); // unknown GPUs are newer ones
}

std::int64_t free_memory_bytes(c10::Device device) {
  return device.is_cuda() ? cuda_memory_free_bytes(device.index()) : host_memory_available_bytes();
}

} // namespace sdbench

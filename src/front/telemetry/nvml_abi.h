#pragma once

#include <initializer_list>

#include <dlfcn.h>

namespace sdbench::nvml {

// The part of NVML's documented binary interface that we use, so that the build does not need its
// header. https://docs.nvidia.com/deploy/nvml-api/

using Device = struct OpaqueDevice*;

constexpr int kSuccess = 0;
constexpr int kInsufficientSize = 7;
constexpr int kFunctionNotFound = 13;
constexpr int kGpuIsLost = 15;
constexpr int kResetRequired = 16;

constexpr int kSmClock = 1;
constexpr int kMemoryClock = 2;
constexpr int kGpuTemperature = 0;
constexpr unsigned kTextSize = 96; ///< more than any text that NVML gives

/// nvmlPciInfo_t. Older versions are shorter and begin with the same members.
struct PciInfo {
  char legacy_id[16];
  unsigned domain;
  unsigned bus;
  unsigned device;
  unsigned device_id;
  unsigned subsystem_id;
  char id[32];
};

/// nvmlMemory_t: `used` includes the memory that the driver reserves; in version 2 it does not.
struct Memory {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};

/// nvmlMemory_v2_t.
struct MemoryV2 {
  unsigned version;
  unsigned long long total;
  unsigned long long reserved;
  unsigned long long free;
  unsigned long long used;
};
constexpr unsigned kMemoryV2Version = sizeof(MemoryV2) | 2u << 24;

/// nvmlUtilization_t, percent.
struct Utilization {
  unsigned gpu;
  unsigned memory;
};

/// nvmlProcessInfo_v1_t.
struct ProcessV1 {
  unsigned pid;
  unsigned long long used_memory;
};

/// nvmlProcessInfo_v2_t, for the functions with _v2 and _v3.
struct ProcessV2 {
  unsigned pid;
  unsigned long long used_memory;
  unsigned gpu_instance;
  unsigned compute_instance;
};

/// Value of both instance ids of a process on a GPU that is not split.
constexpr unsigned kNoInstance = 0xffffffff;

/// A function of the library, under the first of its names that exists. If no name exists, a call
/// returns kFunctionNotFound, as NVML does if the driver is too old.
template <typename... Arguments>
class Function {
public:
  Function(void* library, std::initializer_list<const char*> names) {
    for (const char* name : names) {
      if (function_ == nullptr) {
        function_ = reinterpret_cast<int (*)(Arguments...)>(::dlsym(library, name));
      }
    }
  }

  int operator()(Arguments... arguments) const {
    return function_ == nullptr ? kFunctionNotFound : function_(arguments...);
  }

private:
  int (*function_)(Arguments...) = nullptr;
};

} // namespace sdbench::nvml

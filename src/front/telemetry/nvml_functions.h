#pragma once

#include <initializer_list>
#include <string>

#include <dlfcn.h>

namespace sdbench::nvml {

// The part of NVML's documented binary interface that we use, so that the build does not need its
// header. https://docs.nvidia.com/deploy/nvml-api/

using Device = struct OpaqueDevice*;
using EventSet = struct OpaqueEventSet*;

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

/// nvmlBAR1Memory_t.
struct Bar1Memory {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};

/// nvmlEventData_t. Older versions are shorter and begin with the same members.
struct EventData {
  Device device;
  unsigned long long type;
  unsigned long long data; ///< of an Xid: NVIDIA's number of it
  unsigned gpu_instance;
  unsigned compute_instance;
};
constexpr unsigned long long kXidEvent = 0x8; ///< nvmlEventTypeXidCriticalError

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

using Number = unsigned;
using BigNumber = unsigned long long;

/// A loaded library that unloads itself.
class SharedLibrary {
public:
  /// Throws Error.
  explicit SharedLibrary(const std::string& name);
  ~SharedLibrary() { ::dlclose(handle_); }
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;

  [[nodiscard]] void* handle() const { return handle_; }

private:
  void* handle_;
};

/// The library and all of its functions that we use.
struct Functions {
  explicit Functions(const std::string& file) : shared(file) {}

  SharedLibrary shared;
  void* at = shared.handle();
  // clang-format off
  Function<> init{at, {"nvmlInit_v2", "nvmlInit"}};
  Function<> shutdown{at, {"nvmlShutdown"}};
  Function<char*, Number> driver_version{at, {"nvmlSystemGetDriverVersion"}};
  Function<int*> cuda_version{at, {"nvmlSystemGetCudaDriverVersion_v2", "nvmlSystemGetCudaDriverVersion"}};
  Function<Number*> count{at, {"nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"}};
  Function<Number, Device*> handle{at, {"nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex"}};
  Function<Device, char*, Number> name{at, {"nvmlDeviceGetName"}};
  Function<Device, char*, Number> uuid{at, {"nvmlDeviceGetUUID"}};
  Function<Device, PciInfo*> pci_info{at, {"nvmlDeviceGetPciInfo_v3", "nvmlDeviceGetPciInfo_v2"}};
  Function<Device, int*, int*> compute_capability{at, {"nvmlDeviceGetCudaComputeCapability"}};
  Function<Device, Number*> core_count{at, {"nvmlDeviceGetNumGpuCores"}};
  Function<Device, MemoryV2*> memory_v2{at, {"nvmlDeviceGetMemoryInfo_v2"}};
  Function<Device, Memory*> memory_v1{at, {"nvmlDeviceGetMemoryInfo"}};
  Function<Device, Utilization*> utilization{at, {"nvmlDeviceGetUtilizationRates"}};
  Function<Device, int, Number*> temperature{at, {"nvmlDeviceGetTemperature"}};
  Function<Device, Number*> power{at, {"nvmlDeviceGetPowerUsage"}};
  Function<Device, Number*> power_limit{at, {"nvmlDeviceGetEnforcedPowerLimit"}};
  Function<Device, BigNumber*> energy{at, {"nvmlDeviceGetTotalEnergyConsumption"}};
  Function<Device, int, Number*> clock{at, {"nvmlDeviceGetClockInfo"}};
  Function<Device, int, Number*> max_clock{at, {"nvmlDeviceGetMaxClockInfo"}};
  Function<Device, Number*> fan{at, {"nvmlDeviceGetFanSpeed"}};
  Function<Device, BigNumber*> throttle_reasons{at, {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"}};
  Function<Device, Number*> pcie_generation{at, {"nvmlDeviceGetMaxPcieLinkGeneration"}};
  Function<Device, Number*> pcie_width{at, {"nvmlDeviceGetMaxPcieLinkWidth"}};
  Function<Device, Number*> pcie_generation_now{at, {"nvmlDeviceGetCurrPcieLinkGeneration"}};
  Function<Device, Number*> pcie_width_now{at, {"nvmlDeviceGetCurrPcieLinkWidth"}};
  Function<Device, Number*, Number*> ecc{at, {"nvmlDeviceGetEccMode"}};
  Function<Device, Number*, Number*> mig{at, {"nvmlDeviceGetMigMode"}};
  Function<Device, Number*> pcie_replays{at, {"nvmlDeviceGetPcieReplayCounter"}};
  Function<EventSet*> create_event_set{at, {"nvmlEventSetCreate"}};
  Function<EventSet> free_event_set{at, {"nvmlEventSetFree"}};
  Function<Device, BigNumber, EventSet> register_events{at, {"nvmlDeviceRegisterEvents"}};
  Function<EventSet, EventData*, Number> wait_for_event{at, {"nvmlEventSetWait_v2", "nvmlEventSetWait"}};
  Function<Device, Number*> display_active{at, {"nvmlDeviceGetDisplayActive"}};
  Function<Device, char*, Number> vbios_version{at, {"nvmlDeviceGetVbiosVersion"}};
  Function<Device, Bar1Memory*> bar1_memory{at, {"nvmlDeviceGetBAR1MemoryInfo"}};
  Function<Device, Number*> power_limit_default{at, {"nvmlDeviceGetPowerManagementDefaultLimit"}};
  Function<Device, Number*, Number*> power_limit_range{at, {"nvmlDeviceGetPowerManagementLimitConstraints"}};
  Function<Device, Number*> persistence_mode{at, {"nvmlDeviceGetPersistenceMode"}};
  Function<Device, Number*> virtualisation{at, {"nvmlDeviceGetVirtualizationMode"}};
  Function<Device, Number*, ProcessV2*> compute_v2{at, {"nvmlDeviceGetComputeRunningProcesses_v2", "nvmlDeviceGetComputeRunningProcesses_v3"}};
  Function<Device, Number*, ProcessV1*> compute_v1{at, {"nvmlDeviceGetComputeRunningProcesses"}};
  Function<Device, Number*, ProcessV2*> graphics_v2{at, {"nvmlDeviceGetGraphicsRunningProcesses_v2", "nvmlDeviceGetGraphicsRunningProcesses_v3"}};
  Function<Device, Number*, ProcessV1*> graphics_v1{at, {"nvmlDeviceGetGraphicsRunningProcesses"}};
  // clang-format on
};

} // namespace sdbench::nvml

#pragma once

#include <string>

#include "nvml_abi.h"

namespace sdbench::nvml {

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
  Function<Device, Number*> display_active{at, {"nvmlDeviceGetDisplayActive"}};
  Function<Device, Number*, ProcessV2*> compute_v2{at, {"nvmlDeviceGetComputeRunningProcesses_v2", "nvmlDeviceGetComputeRunningProcesses_v3"}};
  Function<Device, Number*, ProcessV1*> compute_v1{at, {"nvmlDeviceGetComputeRunningProcesses"}};
  Function<Device, Number*, ProcessV2*> graphics_v2{at, {"nvmlDeviceGetGraphicsRunningProcesses_v2", "nvmlDeviceGetGraphicsRunningProcesses_v3"}};
  Function<Device, Number*, ProcessV1*> graphics_v1{at, {"nvmlDeviceGetGraphicsRunningProcesses"}};
  // clang-format on
};

} // namespace sdbench::nvml

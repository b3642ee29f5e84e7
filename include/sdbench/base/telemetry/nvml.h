#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/base/telemetry/gpu_sensors.h"

namespace sdbench {

/// NVIDIA's management library, loaded at run time: no link dependency, and no CUDA context, so
/// that looking disturbs nothing. A sensor that a GPU lacks is empty; nothing here throws but the
/// constructor. May be used from several threads.
class Nvml {
public:
  /// Loads `library` and initialises it. Throws Error that names the library and the reason.
  explicit Nvml(const std::string& library);
  ~Nvml();
  Nvml(Nvml&&) noexcept;
  Nvml& operator=(Nvml&&) noexcept;

  /// All GPUs of the machine, whatever CUDA_VISIBLE_DEVICES says, in NVML's order.
  [[nodiscard]] std::vector<GpuFacts> facts() const;
  /// Readings in the same order.
  [[nodiscard]] std::vector<GpuReading> read() const;
  /// The processes on a GPU, each once, as far as NVML sees them; nothing if it cannot say.
  [[nodiscard]] std::optional<GpuProcessIds> processes(std::size_t gpu) const;

private:
  struct Library;
  std::unique_ptr<Library> library_;
};

/// NVML from the file that SDBENCH_NVML names (none if that is empty), else from the driver's own,
/// libnvidia-ml.so.1. nullptr if it cannot be had, as on every machine without a GPU; `problem`
/// then says why.
[[nodiscard]] std::unique_ptr<Nvml> open_nvml(std::string& problem);

/// The GPUs that it lists; none where it cannot be had.
[[nodiscard]] std::vector<GpuFacts> nvml_gpus();

} // namespace sdbench

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/front/telemetry/gpu_reading.h"

namespace sdbench {

namespace nvml {
class Reader;
}
class AnswerThread;

/// Timeouts in seconds, for initialising NVML and for each later call. If the driver hangs, only
/// the sensors are lost, and measuring continues.
struct NvmlPatience {
  double start_s = 30; ///< initialising eight GPUs without persistence mode takes over 10 s
  double answer_s = 5;
};

/// NVIDIA's management library (NVML), loaded at run time. It needs no link dependency and no CUDA
/// context, so reading sensors does not disturb the measurement. If a GPU lacks a sensor, the
/// sensor's value is empty. Only the constructor throws. While one call hangs, all further calls
/// return empty answers at once. Thread-safe.
class Nvml {
public:
  /// Loads `library` and initialises it. Throws Error that names the library and the reason. If
  /// this library hung before in the same process, throws at once, without another timeout.
  explicit Nvml(const std::string& library, const NvmlPatience& patience = {});
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  /// All GPUs of the machine in NVML's order. CUDA_VISIBLE_DEVICES has no effect on the list.
  [[nodiscard]] std::vector<GpuFacts> facts() const;
  /// A reading of each GPU, in the order of facts().
  [[nodiscard]] std::vector<GpuReading> read() const;
  /// The processes that NVML sees on a GPU, each once. nullopt if NVML cannot tell.
  [[nodiscard]] std::optional<GpuProcessIds> processes(std::size_t gpu) const;
  /// A message if NVML hung since the previous call of this function; else empty.
  [[nodiscard]] std::string take_problem() const;

private:
  template <typename Question>
  auto ask(const Question& question) const;

  NvmlPatience patience_;
  std::unique_ptr<AnswerThread> thread_;
  std::shared_ptr<nvml::Reader> reader_;
};

/// Opens NVML from the file that the environment variable SDBENCH_NVML names, or, if that is not
/// set, from the driver's libnvidia-ml.so.1. An empty SDBENCH_NVML disables NVML. Returns nullptr
/// if it is disabled or cannot be opened, as on every machine without a GPU. `problem` gets the
/// reason why it cannot be opened.
[[nodiscard]] std::unique_ptr<Nvml> open_nvml(std::string& problem,
                                              const NvmlPatience& patience = {});

/// The properties of all GPUs that NVML lists; empty if NVML cannot be opened.
[[nodiscard]] std::vector<GpuFacts> nvml_gpus();

} // namespace sdbench

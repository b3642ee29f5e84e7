#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/front/telemetry/gpu_sensors.h"

namespace sdbench {

namespace nvml {
class Library;
}
class AnswerThread;

/// Longest waits for an answer. A driver that hangs costs the sensors only.
struct NvmlPatience {
  double start_s = 30; ///< without persistence a machine of eight GPUs takes over 10 s
  double answer_s = 5;
};

/// NVIDIA's management library, loaded at run time. It needs no link dependency and no CUDA
/// context, so that reading sensors disturbs nothing. A sensor that a GPU lacks is empty. Only the
/// constructor throws. While a call hangs, all calls return empty answers at once. Thread-safe.
class Nvml {
public:
  /// Loads `library` and initialises it. Throws Error that names the library and the reason. A
  /// library that hangs is waited for only once in a program.
  explicit Nvml(const std::string& library, const NvmlPatience& patience = {});
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  /// All GPUs of the machine, whatever CUDA_VISIBLE_DEVICES says, in NVML's order.
  [[nodiscard]] std::vector<GpuFacts> facts() const;
  /// Readings in the same order.
  [[nodiscard]] std::vector<GpuReading> read() const;
  /// The processes on a GPU, each once, as far as NVML sees them; nothing if it cannot say.
  [[nodiscard]] std::optional<GpuProcessIds> processes(std::size_t gpu) const;
  /// Reports that NVML hung since the last call; empty if it did not.
  [[nodiscard]] std::string take_problem() const;

private:
  template <typename Question>
  auto ask(const Question& question) const;

  NvmlPatience patience_;
  std::unique_ptr<AnswerThread> thread_;
  std::shared_ptr<nvml::Library> library_;
};

/// Opens NVML from the file that SDBENCH_NVML names (not at all if that is empty), else from the
/// driver's libnvidia-ml.so.1. nullptr if it cannot be opened, as on every machine without a GPU;
/// `problem` then says why.
[[nodiscard]] std::unique_ptr<Nvml> open_nvml(std::string& problem,
                                              const NvmlPatience& patience = {});

/// The GPUs that NVML lists; empty if NVML cannot be opened.
[[nodiscard]] std::vector<GpuFacts> nvml_gpus();

} // namespace sdbench

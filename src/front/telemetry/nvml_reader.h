#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nvml_functions.h"
#include "sdbench/front/telemetry/gpu_reading.h"

namespace sdbench::nvml {

/// NVML, loaded and initialised. Any call may hang with the driver.
class Reader : Functions {
public:
  /// Throws Error that names the library and the reason.
  explicit Reader(const std::string& file);
  ~Reader();
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  [[nodiscard]] std::size_t gpu_count() const { return gpus_.size(); }
  [[nodiscard]] std::vector<GpuFacts> facts() const;
  [[nodiscard]] std::vector<GpuReading> read();
  [[nodiscard]] std::optional<GpuProcessIds> processes(std::size_t gpu) const;

  std::atomic<bool> was_late = false; ///< a caller gave up waiting for an answer

private:
  struct Gpu {
    Device device = nullptr;
    bool is_split = false;   ///< MIG
    std::string problem;     ///< why there is no handle
    EventSet xids = nullptr; ///< receives the GPU's Xids; nullptr: NVML does not report them
    std::int64_t xid_count = 0;
    std::optional<std::int64_t> xid_last;
  };
  struct MemoryUse {
    std::optional<std::int64_t> total;
    std::optional<std::int64_t> free;
    std::optional<std::int64_t> used;
  };

  [[nodiscard]] std::string error_text(int code) const;
  void check(int code, const char* expression) const;
  template <typename Value, typename AnyFunction, typename... Selector>
  std::optional<double> ask(std::string& problem, double scale, const AnyFunction& function,
                            Device device, Selector... selector) const;
  [[nodiscard]] std::string split_mode(Device device) const;
  [[nodiscard]] MemoryUse memory(Device device) const;
  void read_identity(GpuFacts& facts, Device device) const;
  void read_power_limits(GpuFacts& facts, Device device) const;
  void read_limits(GpuFacts& facts, Device device) const;
  void watch_xids(Gpu& gpu) const;
  void take_xids(Gpu& gpu) const;
  [[nodiscard]] GpuReading read(Gpu& gpu) const;

  std::vector<Gpu> gpus_;
};

} // namespace sdbench::nvml

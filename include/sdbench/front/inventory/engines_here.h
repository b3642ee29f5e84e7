#pragma once

#include <optional>
#include <string>
#include <vector>

#include <spdlog/logger.h>

#include "sdbench/base/config/other_engine_table.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/front/bench/worker_process.h"

namespace sdbench {

/// The processor, then the GPUs in the order in which a worker lists them. A worker is asked only
/// if there is a CUDA driver. If the worker does not answer, the list has no GPUs.
[[nodiscard]] std::vector<DeviceInfo> devices_here(const ExecutorFactory& make_executor);

/// An engine of another project, and whether it is set up on this machine.
struct EngineHere {
  const EngineRow* row = nullptr;
  bool is_set_up = false;
};

/// All engines of other_engine_table().
[[nodiscard]] std::vector<EngineHere> engines_here();

/// The engines that `--engine all` stands for. Examines the machine at the first call of on(), and
/// only then.
class AllEngines {
public:
  explicit AllEngines(const ExecutorFactory& make_executor) : make_executor_(make_executor) {}

  /// The names of engines that run on `device`: ours, and other projects' engines that are set up.
  /// If our engines do not support the device, engines that are not set up are included.
  [[nodiscard]] std::vector<std::string> on(const std::string& device);
  /// Logs the engines that on() returned, and those that could run if they were set up.
  void say(spdlog::logger& logger) const;

private:
  void look();

  const ExecutorFactory& make_executor_;
  std::optional<std::vector<DeviceInfo>> devices_;
  std::vector<EngineHere> engines_;
  std::vector<std::string> named_;        ///< engines that on() returned, without duplicates
  std::vector<const EngineRow*> lacking_; ///< engines that could run if set up, without duplicates
};

} // namespace sdbench

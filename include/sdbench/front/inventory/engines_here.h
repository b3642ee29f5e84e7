#pragma once

#include <optional>
#include <string>
#include <vector>

#include <spdlog/logger.h>

#include "sdbench/base/config/engine_table.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/front/bench/executor_factory.h"

namespace sdbench {

/// The processor, then the GPUs as a worker counts them. It is asked only where there is CUDA's
/// driver; one that does not answer sees none.
[[nodiscard]] std::vector<DeviceInfo> devices_here(const ExecutorFactory& make_executor);

/// An engine of others on this machine.
struct EngineHere {
  const EngineRow* row = nullptr;
  bool is_set_up = false;
};

/// All of the table.
[[nodiscard]] std::vector<EngineHere> engines_here();

/// The engines that `--engine all` stands for. Looks at the machine once, and only when needed.
class AllEngines {
public:
  explicit AllEngines(const ExecutorFactory& make_executor) : make_executor_(make_executor) {}

  /// Our engines, and those of others that are set up and run on the device of that name.
  [[nodiscard]] std::vector<std::string> on(const std::string& device);
  /// Says which they were, and which could run once they are set up.
  void say(spdlog::logger& logger) const;

private:
  void look();

  const ExecutorFactory& make_executor_;
  std::optional<std::vector<DeviceInfo>> devices_;
  std::vector<EngineHere> engines_;
  std::vector<std::string> named_;        ///< by on(), each once
  std::vector<const EngineRow*> lacking_; ///< that could run, each once
};

} // namespace sdbench

#include "sdbench/front/inventory/engines_here.h"

#include <algorithm>
#include <iterator>

#include "sdbench/base/device/cuda_driver.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/device/device_name.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/own_engines.h"
#include "sdbench/front/inventory/choose_worker.h"
#include "sdbench/front/other_engines/engine_environment.h"

namespace sdbench {
namespace {

/// The device of that name, with the facts that decide which engines run there. "auto" and "all"
/// mean the first GPU, or the CPU without a GPU.
DeviceInfo device_named(const std::string& name, const std::vector<DeviceInfo>& here) {
  const std::optional<DeviceKind> kind = kind_asked(name);
  DeviceInfo unknown;
  unknown.kind = kind;
  const DeviceInfo* const found = find_device(kind ? name : std::string(kAutoDevice), here);
  return found != nullptr ? *found : unknown;
}

template <typename Value>
void add_once(std::vector<Value>& values, const Value& value) {
  if (std::ranges::find(values, value) == values.end()) {
    values.push_back(value);
  }
}

} // namespace

std::vector<DeviceInfo> devices_here(const ExecutorFactory& make_executor) {
  std::vector<DeviceInfo> here(1);
  here.front().kind = cpu_kind();
  if (!has_cuda_driver()) {
    return here;
  }
  try {
    constexpr double kLongestSilenceS = 60; // the driver may hang
    WorkerOptions options;
    options.timeout_s = kLongestSilenceS;
    std::ranges::copy_if(make_executor(options)->devices(), std::back_inserter(here),
                         [](const DeviceInfo& device) { return is_gpu_of_torch(device.kind); });
  } catch (const Error&) { // `list devices` reports the problem
  }
  return here;
}

std::vector<EngineHere> engines_here() {
  const std::string libtorch = chosen_worker().libtorch_version;
  return mapped(other_engine_table(), [&](const EngineRow& row) -> EngineHere {
    return {&row, is_complete(environment_of(row, libtorch))};
  });
}

void AllEngines::look() {
  if (!devices_) {
    devices_ = devices_here(make_executor_);
    engines_ = engines_here();
  }
}

std::vector<std::string> AllEngines::on(const std::string& device) {
  look();
  const DeviceInfo info = device_named(device, *devices_);
  const bool is_ours = is_of_torch(info.kind);
  std::vector<std::string> names;
  if (is_ours) {
    names = {std::string(kTunedEngine), std::string(kPlainEngine)};
  }
  for (const EngineHere& engine : engines_) {
    if (!runs_on(*engine.row, info.kind, info.compute_capability)) {
      continue;
    }
    if (engine.is_set_up || !is_ours) { // where ours do not run, name engines to set up
      names.emplace_back(engine.row->name);
    } else {
      add_once(lacking_, engine.row);
    }
  }
  for (const std::string& name : names) {
    add_once(named_, name);
  }
  return names;
}

void AllEngines::say(spdlog::logger& logger) const {
  if (named_.empty()) {
    return;
  }
  const auto lacking = mapped<std::string>(lacking_, &EngineRow::name);
  logger.info("engines    all: {}{}", joined(named_),
              lacking.empty() ? ""
                              : "; not set up: " + joined(lacking) + " (run " +
                                    setup_command_of(lacking_) + ")");
}

} // namespace sdbench

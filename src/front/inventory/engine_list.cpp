#include "sdbench/front/inventory/engine_list.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/config/other_engine_table.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/device/device_name.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/text/utf8.h"
#include "sdbench/base/types/own_engines.h"
#include "sdbench/front/bench/find_worker.h"
#include "sdbench/front/inventory/choose_worker.h"
#include "sdbench/front/inventory/engines_here.h"
#include "sdbench/front/other_engines/engine_environment.h"
#include "sdbench/front/words/engine_words.h"
#include "sdbench/front/words/text_form.h"

namespace sdbench {
namespace {

struct ListedEngine {
  std::string name;
  std::string words;
  EngineHere here; ///< its row is null for our own engines
};

std::vector<std::string> dtypes_on(const ListedEngine& engine, const DeviceKindRow& kind) {
  return engine.here.row == nullptr
             ? std::vector<std::string>(kind.own_dtypes.begin(), kind.own_dtypes.end())
             : dtypes_on(*engine.here.row, kind.kind);
}

std::vector<ListedEngine> listed_engines() {
  std::vector<ListedEngine> engines = {
      {std::string(kTunedEngine),
       engine_title(kTunedEngine) + ": as fast as the device allows",
       {}},
      {std::string(kPlainEngine), engine_title(kPlainEngine) + ": by libtorch, the yardstick", {}}};
  for (const EngineHere& here : engines_here()) {
    const EngineRow& row = *here.row;
    engines.push_back({std::string(row.name), std::string(row.words), here});
  }
  return engines;
}

bool is_ready(const ListedEngine& engine) {
  return engine.here.row == nullptr || engine.here.is_set_up;
}

bool can_run_on(const ListedEngine& engine, const DeviceInfo& device) {
  return engine.here.row == nullptr ||
         runs_on(*engine.here.row, device.kind, device.compute_capability);
}

/// The engine's state for a device: "ready", "not set up", or "no".
std::string state_on(const ListedEngine& engine, const DeviceInfo& device) {
  return !can_run_on(engine, device) ? "no" : is_ready(engine) ? "ready" : "not set up";
}

/// Of --device, which counts the GPUs of each kind from 0.
std::vector<std::pair<std::string, DeviceInfo>>
named_devices(const std::vector<DeviceInfo>& devices) {
  std::vector<std::pair<std::string, DeviceInfo>> named;
  std::map<std::optional<DeviceKind>, std::int64_t> counts;
  for (const DeviceInfo& device : devices) {
    DeviceName name{.kind = device.kind};
    if (is_gpu(device.kind)) {
      name.number = counts[device.kind]++;
    }
    named.emplace_back(typed_name(name), device);
  }
  return named;
}

/// The choices of each axis that the engine has, by option name.
nlohmann::ordered_json axes_json(const EngineRow* row) {
  nlohmann::ordered_json axes = nlohmann::ordered_json::object();
  for (const EngineAxis& axis : engine_axes()) {
    if (axis.asked == &EngineAxes::engine) {
      continue;
    }
    const EngineTableAxis* const has = row == nullptr ? nullptr : find_axis(*row, axis.name);
    if (row == nullptr && own_choices(axis).size() > 1) {
      axes[option_name(axis)] = own_choices(axis);
    } else if (has != nullptr) {
      axes[option_name(axis)] = has->choices.empty() ? axis.choices : has->choices;
    }
  }
  return axes;
}

/// The oldest compute capability, "7.5" for 75. Null if the engine runs on no GPU, or on any.
nlohmann::ordered_json capability_json(const EngineRow* row) {
  if (row == nullptr || row->oldest_compute_capability == 0) {
    return nullptr;
  }
  constexpr int kTen = 10;
  return std::to_string(row->oldest_compute_capability / kTen) + "." +
         std::to_string(row->oldest_compute_capability % kTen);
}

std::string engines_json(const std::vector<ListedEngine>& engines,
                         const std::vector<DeviceInfo>& devices) {
  const WorkerProgram libtorch = chosen_worker();
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ListedEngine& engine : engines) {
    const EngineRow* const row = engine.here.row;
    const EngineEnvironment environment =
        row == nullptr ? EngineEnvironment() : environment_of(*row, libtorch.libtorch_version);
    nlohmann::ordered_json states = nlohmann::ordered_json::object();
    for (const auto& [name, device] : named_devices(devices)) {
      states[name] = state_on(engine, device);
    }
    nlohmann::ordered_json& said = list.emplace_back(
        nlohmann::ordered_json{{"name", engine.name}, {"description", engine.words}});
    for (const DeviceKindRow& kind : device_kinds()) {
      said[std::string(kind.dtypes_name)] = dtypes_on(engine, kind);
    }
    said.update({{"oldest_compute_capability", capability_json(row)},
                 {"axes", axes_json(row)},
                 {"packages", environment.packages},
                 {"disk_gb", row == nullptr ? 0 : disk_gb(*row, libtorch)},
                 {"folder", environment.folder.string()},
                 {"set_up", is_ready(engine)},
                 {"devices", std::move(states)}});
  }
  return list.dump(2) + "\n";
}

/// Columns of the table. GPUs of one kind and compute capability share a column.
std::vector<std::pair<std::string, DeviceInfo>> columns_of(const std::vector<DeviceInfo>& devices) {
  std::vector<std::pair<std::string, DeviceInfo>> columns;
  for (const auto& [name, device] : named_devices(devices)) {
    const std::optional<DeviceKind> kind = device.kind;
    const std::string& capability = device.compute_capability;
    const auto same = std::ranges::find_if(columns, [&](const auto& column) {
      return column.second.kind == kind && column.second.compute_capability == capability;
    });
    if (is_gpu_of_torch(kind) && same != columns.end()) {
      same->first += "," + name.substr(name.find(':') + 1);
    } else {
      columns.emplace_back(in_capitals(name), device);
    }
  }
  return columns;
}

/// Kinds that libtorch does not see have no column: an engine that is not set up cannot say which
/// are here.
std::string lines_of_others(const std::vector<ListedEngine>& engines) {
  std::string lines;
  for (const DeviceKindRow& kind : device_kinds()) {
    std::vector<std::string> names;
    for (const ListedEngine& engine : engines) {
      if (!is_of_torch(kind.kind) && !dtypes_on(engine, kind).empty()) {
        names.push_back(engine.name);
      }
    }
    lines += names.empty() ? ""
                           : "\nBy --device " + std::string(kind.word) +
                                 ", which the engine itself finds: " + joined(names) + "\n";
  }
  return lines;
}

} // namespace

std::string engine_list_text(bool json, const Screen& screen,
                             const ExecutorFactory& make_executor) {
  const std::vector<DeviceInfo> devices = devices_here(make_executor);
  const std::vector<ListedEngine> engines = listed_engines();
  if (json) {
    return engines_json(engines, devices);
  }
  const WorkerProgram libtorch = chosen_worker();
  const auto columns = columns_of(devices);
  std::vector<std::vector<std::string>> rows = {{"ENGINE"}};
  for (const auto& [name, device] : columns) {
    rows.front().push_back(name);
  }
  rows.front().insert(rows.front().end(), {"DISK", "WHAT IT IS"});
  std::vector<const EngineRow*> missing;
  for (const ListedEngine& engine : engines) {
    rows.push_back({engine.name});
    for (const auto& [name, device] : columns) {
      rows.back().push_back(state_on(engine, device));
    }
    const EngineRow* const row = engine.here.row;
    rows.back().insert(
        rows.back().end(),
        {row == nullptr ? "-" : number_text(disk_gb(*row, libtorch)) + " GB", engine.words});
    const bool can_run = std::ranges::any_of(
        devices, [&](const DeviceInfo& device) { return can_run_on(engine, device); });
    if (can_run && !is_ready(engine)) {
      missing.push_back(row);
    }
  }
  return aligned_text(rows, screen) + lines_of_others(engines) +
         (missing.empty() ? "" : "\nNot set up yet: " + setup_command_of(missing) + "\n");
}

} // namespace sdbench

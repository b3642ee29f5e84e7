#include "sdbench/base/plan/engine_obstacle.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/config/other_engine_table.h"
#include "sdbench/base/device/cuda_driver.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/device/device_name.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/own_engines.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/base/types/task_table.h"

namespace sdbench {
namespace {

/// "--engine openvino"
std::string engines_for(DeviceKind kind) {
  const auto runs = [&](const EngineRow& row) { return !dtypes_on(row, kind).empty(); };
  return "--engine " + listed(mapped_if<std::string>(other_engine_table(), runs, &EngineRow::name));
}

/// The engine's dtypes on the requested kind of device, or on any kind if the device is to be
/// chosen. Without a driver there is no choice: a GPU-only engine must not be set up there.
std::vector<std::string> dtypes_of(const EngineRow& row, const std::string& device) {
  if (is_surely_cpu(device)) {
    return dtypes_on(row, cpu_kind());
  }
  if (const std::optional<DeviceKind> kind = kind_asked(device)) {
    return dtypes_on(row, *kind);
  }
  std::vector<std::string> dtypes;
  for (const DeviceKindRow& kind : device_kinds()) {
    if (is_of_torch(kind.kind)) {
      add_new(dtypes, dtypes_on(row, kind.kind));
    }
  }
  return dtypes;
}

/// "cpu or intel"
std::string devices_text(const EngineRow& row) {
  const auto runs = [&](const DeviceKindRow& kind) { return !dtypes_on(row, kind.kind).empty(); };
  return listed(mapped_if<std::string>(device_kinds(), runs, &DeviceKindRow::word));
}

/// Why an external engine cannot compute in this way; empty if it can. The worker checks what
/// depends on the device.
std::string obstacle_of(const EngineRow& row, const Cell& cell) {
  const std::string beside = " with --engine " + std::string(row.name) + ", but is ";
  const std::vector<std::string> dtypes = dtypes_of(row, cell.device);
  if (dtypes.empty()) {
    return "--device must be " + devices_text(row) + beside +
           (cell.device == kAutoDevice ? "the CPU, because there is no NVIDIA driver"
                                       : cell.device);
  }
  const std::string dtype(cell.dtype ? name_of(*cell.dtype) : "");
  if (!dtype.empty() && std::ranges::find(dtypes, dtype) == dtypes.end()) {
    return "--dtype must be " + listed(dtypes, "or") + beside + dtype;
  }
  for (const EngineTableAxis& has : row.axes) {
    const std::string& asked = cell.*axis_named(has.name).asked;
    if (!has.choices.empty() && std::ranges::find(has.choices, asked) == has.choices.end()) {
      return "--" + option_name(axis_named(has.name)) + " must be " + listed(has.choices, "or") +
             beside + asked;
    }
  }
  const bool is_tiled = cell.vae_tiling == "on" && find_axis(row, "vae_tiling") == nullptr;
  return is_tiled ? "--vae-tiling must be off" + beside + "on" : "";
}

} // namespace

std::string engine_obstacle(const Cell& cell) {
  if (const EngineRow* const row = find_engine_row(cell.engine)) {
    return obstacle_of(*row, cell);
  }
  if (const auto kind = kind_asked(cell.device); kind && !is_of_torch(kind)) {
    std::vector<std::string> ours = kind_words(is_of_torch);
    ours.insert(ours.begin(), std::string(kAutoDevice));
    return "--device must be " + listed(ours) + " with --engine " + cell.engine + ", but is " +
           cell.device + "; " + engines_for(*kind) + " can use it";
  }
  for (const EngineAxis& axis : engine_axes()) {
    if (const std::string& asked = cell.*axis.asked;
        std::ranges::find(axis.of_others, asked) != axis.of_others.end()) {
      return "--" + option_name(axis) + " must be " + listed(own_choices(axis)) +
             " with --engine " + cell.engine + ", but is " + asked;
    }
  }
  if (std::string obstacle =
          fp16_accumulation_obstacle(cell, is_surely_cpu(cell.device), cell.dtype);
      !obstacle.empty()) {
    return obstacle;
  }
  if (cell.engine != kPlainEngine) {
    return {};
  }
  const std::string is_aten = " with --engine plain, which uses only ATen's kernels, but is ";
  if (cell.packed_weights != "auto" && cell.packed_weights != "off") {
    return "--packed-weights must be auto or off" + is_aten + cell.packed_weights;
  }
  if (cell.kernels == "own") {
    return "--kernels must be auto or aten" + is_aten + cell.kernels;
  }
  if (cell.attention == "own") {
    return "--attention must be auto or one of libtorch's" + is_aten + cell.attention;
  }
  return {};
}

std::string fp16_accumulation_obstacle(const Cell& cell, bool on_cpu,
                                       std::optional<Precision> dtype) {
  if (cell.fp16_accumulation != "on") {
    return {};
  }
  if (on_cpu) {
    return "--fp16-accumulation must be off on a CPU, but is on";
  }
  if (!dtype || dtype->dtype == Dtype::kF16) {
    return {};
  }
  return "--fp16-accumulation must be off in " + std::string(name_of(*dtype)) +
         ", but is on; set --dtype fp16";
}

std::string cpu_training_obstacle(const Cell& cell) {
  constexpr Precision kScaled{Dtype::kF16, true};
  if (cell.task != Task::kTrain || cell.dtype != kScaled) {
    return {};
  }
  return "--dtype must be another format for training on a CPU, but is " +
         std::string(name_of(kScaled)) +
         ", whose loss this engine scales only on GPUs; take autocast-bf16, bf16 or fp32";
}

} // namespace sdbench

#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/device/device_kind_table.h"

namespace sdbench {

/// An engine axis (engine_axis_table.h) that an external engine supports.
struct EngineTableAxis {
  std::string_view name; ///< a name in engine_axes()
  /// The choices that the engine supports; empty: all of the axis's choices.
  std::vector<std::string> choices;
};

/// An external engine: diffusers in PyTorch, TensorRT, and others. A Python worker process
/// (engines/worker.py NAME) runs the engine in the Python environment `environment`.
struct EngineRow {
  std::string_view name;  ///< value of --engine and of the record's field engine
  std::string_view words; ///< description of the engine for people
  /// Folder name of the Python environment, which engines with the same packages share.
  std::string_view environment;
  /// The Python package whose version is recorded as the engine's revision.
  std::string_view program;
  /// pip requirements besides torch, with these additions:
  /// - "-cuX" in a name becomes -cu13 or -cu12, depending on the CUDA version of torch.
  /// - A requirement that ends in " @cu12" or " @cu13" is used only with that CUDA version.
  /// - "torchvision==X" gets the version that belongs to the installed torch.
  std::vector<std::string> packages = {};
  /// `gpu_environment` and `gpu_packages` replace `environment` and `packages` on a machine with an
  /// NVIDIA driver. Empty: the same as without a driver.
  std::string_view gpu_environment = {};
  std::vector<std::string> gpu_packages = {};
  double disk_gb = 0; ///< approximate installed size of the packages in GB, without torch
  /// Bytes per weight of the compiled or exported model in the cache; 0: no model is cached.
  int kept_bytes_per_weight = 0;
  /// True if the engine tunes its compiled model for a cell's image size, batch size and --tf32,
  /// even with dynamic shapes. Then each combination of these three values needs its own compiled
  /// model.
  bool is_tuned = false;
  /// Supported number formats ("fp32", "autocast-bf16") by device kind. The engine does not run on
  /// kinds without an entry.
  std::map<DeviceKind, std::vector<std::string>> dtypes = {};
  /// Lowest supported compute capability, times 10: 75 is 7.5; 0: no minimum.
  int oldest_compute_capability = 0;
  /// True: the loaded model accepts any image or batch size without being loaded again.
  bool any_size = false;
  bool networks = false; ///< true: also runs the tasks of image classifiers (infer, train)
  std::vector<EngineTableAxis> axes = {}; ///< the axes that it supports, apart from `engine`
};

/// All external engines, in the order used by --help and lists.
[[nodiscard]] std::span<const EngineRow> other_engine_table();
/// The engine's number formats on that kind of device. Empty if the engine does not run there.
[[nodiscard]] const std::vector<std::string>& dtypes_on(const EngineRow& row, DeviceKind kind);
/// True if the table says that the engine runs on a device of that kind and compute capability
/// ("9.0"). An empty compute capability (unknown, or not an NVIDIA GPU) is not checked. False if
/// the kind is unknown.
[[nodiscard]] bool runs_on(const EngineRow& row, std::optional<DeviceKind> kind,
                           std::string_view compute_capability);
/// The row of the engine with that name. nullptr for sdbench's own engines and unknown names.
[[nodiscard]] const EngineRow* find_engine_row(std::string_view name);
/// The engine's entry for the axis with that name. nullptr if the engine does not support the axis.
[[nodiscard]] const EngineTableAxis* find_axis(const EngineRow& row, std::string_view axis);

} // namespace sdbench

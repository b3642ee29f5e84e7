#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/device/device_kind.h"

namespace sdbench {

/// One of our axes that another's engine has, too.
struct EngineTableAxis {
  std::string_view name;            ///< of engine_axes()
  std::vector<std::string> choices; ///< what it knows; empty: all of the axis'
};

/// An engine of others, which a Python worker (engines/worker.py NAME) serves in an environment of
/// its own.
struct EngineRow {
  std::string_view name;        ///< of --engine, and the record's engine
  std::string_view words;       ///< what it is
  std::string_view environment; ///< folder of its packages; engines that need the same share it
  std::string_view program;     ///< the package whose version is the engine's revision
  /// Beside torch, as pip takes them. A name's -cuX stands for the CUDA of torch, -cu13 or -cu12;
  /// what ends in " @cu12" or " @cu13" is for that CUDA alone. torchvision's version X is the one
  /// that belongs to torch.
  std::vector<std::string> packages = {};
  /// In place of these two on a machine with an NVIDIA driver; empty: the same.
  std::string_view gpu_environment = {};
  std::vector<std::string> gpu_packages = {};
  double disk_gb = 0;            ///< of the packages, without torch; about
  int kept_bytes_per_weight = 0; ///< of what it prepares and keeps; 0: keeps no weights
  /// What it keeps is built for a cell's shapes and --tf32, also where its shapes are open.
  bool is_tuned = false;
  /// "fp32", "autocast-bf16" on each kind of device that it runs on.
  std::map<DeviceKind, std::vector<std::string>> dtypes = {};
  int oldest_compute_capability = 0; ///< of an NVIDIA GPU: 75 is 7.5
  bool any_size = false; ///< what it has loaded computes images, or batches, of any size
  bool networks = false; ///< has the tasks of networks, too
  std::vector<EngineTableAxis> axes = {}; ///< of ours, beside the engine itself
};

/// All of them, in the order in which help and lists name them.
[[nodiscard]] std::span<const EngineRow> engine_table();
/// Empty where it does not run on that kind of device.
[[nodiscard]] const std::vector<std::string>& dtypes_on(const EngineRow& row, DeviceKind kind);
/// Whether the table has it run on a device of that kind and compute capability ("9.0"; empty where
/// that is not known, or there is none). False for an unknown kind.
[[nodiscard]] bool runs_on(const EngineRow& row, std::optional<DeviceKind> kind,
                           std::string_view compute_capability);
/// nullptr: one of ours, or unknown.
[[nodiscard]] const EngineRow* find_engine_row(std::string_view name);
/// The axis as that engine has it; nullptr: it has it not.
[[nodiscard]] const EngineTableAxis* find_axis(const EngineRow& row, std::string_view axis);

} // namespace sdbench

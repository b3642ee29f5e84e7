#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/device/device_kind.h"

namespace sdbench {

/// One of our axes that an external engine also has.
struct EngineTableAxis {
  std::string_view name;            ///< of engine_axes()
  std::vector<std::string> choices; ///< the choices that the engine has; empty: all of the axis
};

/// An external engine. A Python worker (engines/worker.py NAME) runs it in its own environment.
struct EngineRow {
  std::string_view name;        ///< value of --engine and of the record's field engine
  std::string_view words;       ///< for people: what the engine is
  std::string_view environment; ///< folder of its packages; engines with equal packages share it
  std::string_view program;     ///< the package whose version is the engine's revision
  /// Packages besides torch, in pip's form. -cuX in a name becomes -cu13 or -cu12, torch's CUDA. An
  /// entry that ends in " @cu12" or " @cu13" is only for that CUDA. torchvision's version X is
  /// replaced by the one that belongs to torch.
  std::vector<std::string> packages = {};
  /// Replace `environment` and `packages` on a machine with an NVIDIA driver. Empty: no difference.
  std::string_view gpu_environment = {};
  std::vector<std::string> gpu_packages = {};
  double disk_gb = 0;            ///< approximate size of the packages, without torch
  int kept_bytes_per_weight = 0; ///< bytes that it keeps on disk per weight; 0: keeps no weights
  /// True if what it keeps is built for a cell's shapes and --tf32, even with dynamic shapes.
  bool is_tuned = false;
  /// Number formats ("fp32", "autocast-bf16") for each kind of device that it runs on.
  std::map<DeviceKind, std::vector<std::string>> dtypes = {};
  int oldest_compute_capability = 0;      ///< of an NVIDIA GPU: 75 is 7.5
  bool any_size = false;                  ///< one load computes images or batches of any size
  bool networks = false;                  ///< also has the tasks of networks
  std::vector<EngineTableAxis> axes = {}; ///< our axes that it has, besides the engine itself
};

/// All external engines, in the order of help and lists.
[[nodiscard]] std::span<const EngineRow> engine_table();
/// Number formats on that kind of device. Empty if the engine does not run there.
[[nodiscard]] const std::vector<std::string>& dtypes_on(const EngineRow& row, DeviceKind kind);
/// True if, by the table, the engine runs on a device of that kind and compute capability ("9.0";
/// empty if unknown or not an NVIDIA GPU). False for an unknown kind.
[[nodiscard]] bool runs_on(const EngineRow& row, std::optional<DeviceKind> kind,
                           std::string_view compute_capability);
/// The row of that name. nullptr for our own engines and for unknown names.
[[nodiscard]] const EngineRow* find_engine_row(std::string_view name);
/// The axis of that engine. nullptr if the engine lacks it.
[[nodiscard]] const EngineTableAxis* find_axis(const EngineRow& row, std::string_view axis);

} // namespace sdbench

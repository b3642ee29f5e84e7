#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// A kind of device that cells run on. Everything that differs between kinds is a column of the
/// table device_kinds().
enum class DeviceKind : std::uint8_t { kCpu, kCuda, kIntel };

/// Which devices a worker process sees. This depends on the device kind of the worker's cell.
enum class DeviceSeat : std::uint8_t {
  kCores,      ///< all cores, or for cpu:K only part K of the cores; NVIDIA GPUs are hidden
  kVisibleGpu, ///< only one GPU, as number 0; CUDA_VISIBLE_DEVICES hides the others
  kAllGpus     ///< all GPUs of the kind, numbered as in --device; NVIDIA GPUs are hidden
};

/// The source of sensor readings (clocks, energy, temperatures) while a cell runs: the host's
/// sensors, NVML, or no source.
enum class DeviceSensors : std::uint8_t { kHost, kNvml, kNone };

/// Properties of one device kind.
struct DeviceKindRow {
  DeviceKind kind;
  std::string_view word; ///< name in --device, messages and records: "cuda"
  /// True: the number in a device's name counts GPUs (cuda:N). False: it counts parts of the cores
  /// (cpu:K).
  bool is_gpu;
  DeviceSeat seat;
  DeviceSensors sensors;
  /// libtorch's name of the kind; empty: sdbench's own engines cannot use such devices.
  std::string_view torch_type;
  /// JSON key of the kind's number formats in `list engines --format json`.
  std::string_view dtypes_name;
  /// Values of --dtype that sdbench's own engines support.
  std::span<const std::string_view> own_dtypes;
};

/// All kinds, in the order used by --help, lists and errors.
[[nodiscard]] std::span<const DeviceKindRow> device_kinds();

[[nodiscard]] const DeviceKindRow& row_of(DeviceKind kind);
[[nodiscard]] std::string_view name_of(DeviceKind kind); ///< the kind's name: "cuda"
/// The kind of the machine's CPU, which every machine has.
[[nodiscard]] DeviceKind cpu_kind();
// These functions return false for nullopt, which is an unknown device.
[[nodiscard]] bool is_cpu(std::optional<DeviceKind> kind);
[[nodiscard]] bool is_gpu(std::optional<DeviceKind> kind);
[[nodiscard]] bool has_seat(std::optional<DeviceKind> kind, DeviceSeat seat);
[[nodiscard]] bool has_sensors(std::optional<DeviceKind> kind, DeviceSensors sensors);
/// True if libtorch supports the kind, so that sdbench's own engines can run on it.
[[nodiscard]] bool is_of_torch(std::optional<DeviceKind> kind);
/// True for a kind of GPU that libtorch supports. The devices "auto" and "all" include only these
/// GPUs.
[[nodiscard]] bool is_gpu_of_torch(std::optional<DeviceKind> kind);

/// The kind with that name; nullopt for an unknown name.
[[nodiscard]] std::optional<DeviceKind> device_kind_named(std::string_view word);

/// Value of the record's field device_kind for devices that ran together: "cpu+cuda", each kind
/// once.
[[nodiscard]] std::string joined_kinds(std::span<const DeviceKind> kinds);
/// True if `text` is a valid device_kind field: empty (the cell got no device), one kind's name, or
/// several names joined by "+".
[[nodiscard]] bool is_device_kind_field(std::string_view text);

/// Names of the kinds that `is_wanted` accepts, in the table's order. nullptr: names of all kinds.
[[nodiscard]] std::vector<std::string>
kind_words(bool (*is_wanted)(std::optional<DeviceKind>) = nullptr);

/// For tests: the table contains an additional row while this object lives. During that time, only
/// one thread may use the table.
class PretendedDeviceKind {
public:
  explicit PretendedDeviceKind(const DeviceKindRow& row);
  PretendedDeviceKind(const PretendedDeviceKind&) = delete;
  PretendedDeviceKind& operator=(const PretendedDeviceKind&) = delete;
  ~PretendedDeviceKind();

private:
  std::vector<DeviceKindRow> rows_;
};

} // namespace sdbench

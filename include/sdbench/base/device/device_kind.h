#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// A kind of device that cells run on. device_kinds() has a column for each difference between
/// kinds.
enum class DeviceKind : std::uint8_t { kCpu, kCuda, kIntel };

/// The devices of a kind that a worker sees.
enum class DeviceSeat : std::uint8_t {
  kCores,      ///< the cores of its share; no GPU of NVIDIA's
  kVisibleGpu, ///< one GPU, number 0, by CUDA_VISIBLE_DEVICES
  kAllGpus     ///< all of the kind, by the numbers that the user gives; no GPU of NVIDIA's
};

/// The source of clocks, energy and temperatures while a cell runs.
enum class DeviceSensors : std::uint8_t { kHost, kNvml, kNone };

/// A row of the table of device kinds.
struct DeviceKindRow {
  DeviceKind kind;
  std::string_view word; ///< of --device, messages and records: "cuda"
  bool is_gpu;           ///< a name's number counts GPUs (cuda:N), and not shares of cores (cpu:K)
  DeviceSeat seat;
  DeviceSensors sensors;
  std::string_view torch_type;  ///< libtorch's word for the kind; empty: our workers cannot use it
  std::string_view dtypes_name; ///< key of the kind's formats in `list engines --format json`
  std::span<const std::string_view> own_dtypes; ///< values of --dtype for our own engines
};

/// All kinds, in the order of help, lists and errors.
[[nodiscard]] std::span<const DeviceKindRow> device_kinds();

[[nodiscard]] const DeviceKindRow& row_of(DeviceKind kind);
[[nodiscard]] std::string_view name_of(DeviceKind kind); ///< the word: "cuda"
/// The kind of the machine's own processor, which is always there.
[[nodiscard]] DeviceKind cpu_kind();
// Each is false for nullopt, an unknown device.
[[nodiscard]] bool is_cpu(std::optional<DeviceKind> kind);
[[nodiscard]] bool is_gpu(std::optional<DeviceKind> kind);
[[nodiscard]] bool has_seat(std::optional<DeviceKind> kind, DeviceSeat seat);
[[nodiscard]] bool has_sensors(std::optional<DeviceKind> kind, DeviceSensors sensors);
/// True if libtorch supports the kind: our own workers compute on it.
[[nodiscard]] bool is_of_torch(std::optional<DeviceKind> kind);
/// True for a GPU of that sort, which `auto` and `all` include.
[[nodiscard]] bool is_gpu_of_torch(std::optional<DeviceKind> kind);

/// nullopt for an unknown word.
[[nodiscard]] std::optional<DeviceKind> device_kind_named(std::string_view word);

/// The field device_kind of devices that ran together: "cpu+cuda", each kind once.
[[nodiscard]] std::string joined_kinds(std::span<const DeviceKind> kinds);
/// True if a record's device_kind is such a text or one kind's word. It is empty in the row of a
/// cell that got no device.
[[nodiscard]] bool is_device_kind_field(std::string_view text);

/// The words of the kinds that `is_wanted` accepts, in the table's order.
[[nodiscard]] std::vector<std::string>
kind_words(bool (*is_wanted)(std::optional<DeviceKind>) = nullptr);

/// For tests: the table has one more row during its lifetime. Only one thread may use the table
/// meanwhile.
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

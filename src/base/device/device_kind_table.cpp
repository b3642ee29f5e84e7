#include "sdbench/base/device/device_kind_table.h"

#include <algorithm>
#include <stdexcept>

#include "sdbench/base/text/listed.h"

// The only table of device kinds. A new kind needs a row here, and code that finds its devices.

namespace sdbench {
namespace {

constexpr std::string_view kOwnDtypes[] = {"fp32", "fp16", "bf16", "autocast-fp16",
                                           "autocast-bf16"};

constexpr DeviceKindRow kKinds[] = {
    {.kind = DeviceKind::kCpu,
     .word = "cpu",
     .is_gpu = false,
     .seat = DeviceSeat::kCores,
     .sensors = DeviceSensors::kHost,
     .torch_type = "cpu",
     .dtypes_name = "cpu_dtypes",
     .own_dtypes = kOwnDtypes},
    {.kind = DeviceKind::kCuda, // GPUs of NVIDIA
     .word = "cuda",
     .is_gpu = true,
     .seat = DeviceSeat::kVisibleGpu,
     .sensors = DeviceSensors::kNvml,
     .torch_type = "cuda",
     .dtypes_name = "gpu_dtypes",
     .own_dtypes = kOwnDtypes},
    {.kind = DeviceKind::kIntel, // GPUs of Intel, which only OpenVINO uses
     .word = "intel",
     .is_gpu = true,
     .seat = DeviceSeat::kAllGpus,
     .sensors = DeviceSensors::kNone,
     .torch_type = "",
     .dtypes_name = "intel_dtypes",
     .own_dtypes = {}},
};

std::span<const DeviceKindRow>& table() {
  static std::span<const DeviceKindRow> rows = kKinds;
  return rows;
}

} // namespace

std::span<const DeviceKindRow> device_kinds() {
  return table();
}

const DeviceKindRow& row_of(DeviceKind kind) {
  const auto found = std::ranges::find(table(), kind, &DeviceKindRow::kind);
  if (found == table().end()) {
    throw std::out_of_range("no row has the device kind " + std::to_string(static_cast<int>(kind)));
  }
  return *found;
}

std::string_view name_of(DeviceKind kind) {
  return row_of(kind).word;
}

DeviceKind cpu_kind() {
  return DeviceKind::kCpu;
}

bool is_cpu(std::optional<DeviceKind> kind) {
  return kind == cpu_kind();
}

bool is_gpu(std::optional<DeviceKind> kind) {
  return kind && row_of(*kind).is_gpu;
}

bool has_seat(std::optional<DeviceKind> kind, DeviceSeat seat) {
  return kind && row_of(*kind).seat == seat;
}

bool has_sensors(std::optional<DeviceKind> kind, DeviceSensors sensors) {
  return kind && row_of(*kind).sensors == sensors;
}

bool is_of_torch(std::optional<DeviceKind> kind) {
  return kind && !row_of(*kind).torch_type.empty();
}

bool is_gpu_of_torch(std::optional<DeviceKind> kind) {
  return is_gpu(kind) && is_of_torch(kind);
}

std::optional<DeviceKind> device_kind_named(std::string_view word) {
  const auto found = std::ranges::find(table(), word, &DeviceKindRow::word);
  return found == table().end() ? std::nullopt : std::optional(found->kind);
}

std::string joined_kinds(std::span<const DeviceKind> kinds) {
  std::vector<std::string> words;
  for (const DeviceKind kind : kinds) {
    add_new(words, {std::string(name_of(kind))});
  }
  return joined(words, "+");
}

bool is_device_kind_field(std::string_view text) {
  return text.empty() || std::ranges::all_of(split(text, '+'), [](std::string_view word) {
           return device_kind_named(word).has_value();
         });
}

std::vector<std::string> kind_words(bool (*is_wanted)(std::optional<DeviceKind>)) {
  const auto is_listed = [&](const DeviceKindRow& row) {
    return is_wanted == nullptr || is_wanted(row.kind);
  };
  return mapped_if<std::string>(table(), is_listed, &DeviceKindRow::word);
}

PretendedDeviceKind::PretendedDeviceKind(const DeviceKindRow& row)
    : rows_(table().begin(), table().end()) {
  rows_.push_back(row);
  table() = rows_;
}

PretendedDeviceKind::~PretendedDeviceKind() {
  table() = kKinds;
}

} // namespace sdbench

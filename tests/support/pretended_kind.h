#pragma once

#include "sdbench/base/device/device_kind_table.h"

namespace sdbench::test {

/// A kind of GPU that no table has, "rocm": libtorch has it by CUDA's name, and a variable of the
/// environment shows one GPU to a worker. It lives as long as this.
class PretendedKind {
public:
  static constexpr DeviceKind kind = DeviceKind{3};

private:
  static DeviceKindRow row() {
    DeviceKindRow row = row_of(DeviceKind::kCuda);
    row.kind = kind;
    row.word = "rocm";
    row.sensors = DeviceSensors::kNone;
    row.dtypes_name = "rocm_dtypes";
    return row;
  }

  PretendedDeviceKind kind_{row()};
};

} // namespace sdbench::test

#pragma once

#include <vector>

#include "sdbench/base/device/device_kind.h"

namespace sdbench::test {

/// A kind of GPU that no table has, "rocm": libtorch has it by CUDA's name, and a variable of the
/// environment shows one GPU to a worker. It lives as long as this.
class PretendedKind {
public:
  static constexpr DeviceKind kind = DeviceKind{3};

  PretendedKind() : kinds_(rows()) {}

private:
  static std::vector<DeviceKindRow> rows() {
    std::vector<DeviceKindRow> rows(device_kinds().begin(), device_kinds().end());
    rows.push_back({.kind = kind,
                    .word = "rocm",
                    .heading = "ROCM",
                    .numbers = DeviceNumbers::kGpus,
                    .seat = DeviceSeat::kVisibleGpu,
                    .sensors = DeviceSensors::kNone,
                    .torch_type = "cuda",
                    .dtypes_name = "rocm_dtypes",
                    .own_dtypes = row_of(DeviceKind::kCuda).own_dtypes});
    return rows;
  }

  PretendedDeviceKinds kinds_;
};

} // namespace sdbench::test

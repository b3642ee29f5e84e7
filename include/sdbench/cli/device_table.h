#pragma once

#include <string>
#include <vector>

#include "sdbench/cli/device_list.h"

namespace sdbench {

/// A block of lines for each device. `problem`: why NVML is not there; shown where no GPU is.
[[nodiscard]] std::string device_table(const std::vector<ListedGpu>& gpus, const ListedCpu& cpu,
                                       const std::string& problem);

} // namespace sdbench

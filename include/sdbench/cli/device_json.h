#pragma once

#include <string>
#include <vector>

#include "sdbench/cli/device_list.h"

namespace sdbench {

/// An array of objects, in SI units; what is not known is null.
[[nodiscard]] std::string device_json(const std::vector<ListedGpu>& gpus, const ListedCpu& cpu);

} // namespace sdbench

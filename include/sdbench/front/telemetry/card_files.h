#pragma once

#include <filesystem>

#include "sdbench/front/telemetry/gpu_reading.h"

namespace sdbench {

/// Adds what the system's files say of a GPU: `kernel_module`, `external_link` and `board_vendor`.
/// `root` is the folder of proc/, sys/ and usr/. Leaves empty what no file says.
void add_system_facts(GpuFacts& gpu, const std::filesystem::path& root);

} // namespace sdbench

#pragma once

#include <filesystem>
#include <string>

namespace sdbench {

/// The kinds of cores of a hybrid processor with the system's numbers of them, the fastest first:
/// "performance 0-15, efficiency 16-23"; on Arm by the kernel's figure of what a core can do:
/// "capacity 1024: 4-7, capacity 446: 0-3". Empty if all are of one kind. `root` is "/" but in
/// tests.
[[nodiscard]] std::string core_kinds(const std::filesystem::path& root = "/");

} // namespace sdbench

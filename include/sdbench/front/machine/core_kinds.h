#pragma once

#include <filesystem>
#include <string>

namespace sdbench {

/// Lists the kinds of cores of a hybrid processor, the fastest first, and the core numbers of each
/// kind: "performance 0-15, efficiency 16-23". On Arm, kinds are named by the capacity that the
/// kernel assigns to them: "capacity 1024: 4-7, capacity 446: 0-3". Empty if all cores are of one
/// kind. `root` is "/" except in tests.
[[nodiscard]] std::string core_kinds(const std::filesystem::path& root = "/");

} // namespace sdbench

#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace sdbench {

/// A file of /proc or /sys, whole; empty if it cannot be read. For the sampler, which must be quick
/// and must not fail: no exceptions.
[[nodiscard]] std::string read_small_file(const std::filesystem::path& path);

/// The number that such a file starts with.
[[nodiscard]] std::optional<double> read_number_file(const std::filesystem::path& path);

} // namespace sdbench

#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace sdbench {

/// The whole content of a file of /proc or /sys; empty if it cannot be read. Throws nothing,
/// because the sampler must be quick and must not fail.
[[nodiscard]] std::string read_small_file(const std::filesystem::path& path);

/// The number at the start of such a file.
[[nodiscard]] std::optional<double> read_number_file(const std::filesystem::path& path);

} // namespace sdbench

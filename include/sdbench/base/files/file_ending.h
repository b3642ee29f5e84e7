#pragma once

#include <filesystem>
#include <string>

namespace sdbench {

/// The extension of a file's name in lower case, with the dot: ".csv" for "RESULTS.CSV", a spelling
/// that Windows programs may use. Empty if the name has no dot.
[[nodiscard]] std::string file_ending(const std::filesystem::path& file);

} // namespace sdbench

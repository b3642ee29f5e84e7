#pragma once

#include <filesystem>
#include <string>

namespace sdbench {

/// The extension of a file's name in lower case: ".csv" for "RESULTS.CSV", which Windows may write.
/// Empty if the name has no dot.
[[nodiscard]] std::string file_ending(const std::filesystem::path& file);

} // namespace sdbench

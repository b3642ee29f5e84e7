#pragma once

#include <filesystem>
#include <string>

namespace sdbench {

/// What a file's name ends in, in small letters: ".csv" of "RESULTS.CSV", as Windows writes it.
/// Empty: its name has no point.
[[nodiscard]] std::string file_ending(const std::filesystem::path& file);

} // namespace sdbench

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sdbench/front/compare/compare_formats.h"
#include "sdbench/front/options/arguments.h"

namespace sdbench {

/// The value of an option that may be given once, or `otherwise`. Throws UsageError if it is given
/// twice.
[[nodiscard]] std::string single_value(const CLI::Option* option, const std::string& otherwise);

/// "5%" as 0.05; the sign is required, because a bare 0.05 could be a fraction or a percentage.
/// Throws UsageError for all else.
[[nodiscard]] double fraction_of(const std::string& option, const std::string& text);

/// The names that --format takes.
[[nodiscard]] std::vector<std::string> names_of(const std::vector<CompareFormat>& formats);

/// The format of --format, else of the extension of -o, else "table". Throws UsageError for a
/// format that is not in `formats`.
[[nodiscard]] std::string checked_format(const std::string& asked,
                                         const std::filesystem::path& output,
                                         const std::vector<CompareFormat>& formats);

} // namespace sdbench

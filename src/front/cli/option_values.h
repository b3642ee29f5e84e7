#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sdbench/front/cli/arguments.h"
#include "sdbench/front/compare/compare_formats.h"

namespace sdbench {

/// The value of an option that stands at most once. Throws UsageError for one that stands twice.
[[nodiscard]] std::string single_value(const CLI::Option* option, const std::string& otherwise);

/// "5%" as 0.05; the sign is demanded, for a bare 0.05 could be meant as a part or as a percentage.
/// Throws UsageError for all else.
[[nodiscard]] double fraction_of(const std::string& option, const std::string& text);

/// Of --format.
[[nodiscard]] std::vector<std::string> names_of(const std::vector<CompareFormat>& formats);

/// The form that --format asks for, else that of the ending of -o, else "table". Throws UsageError
/// for one that is none of `formats`.
[[nodiscard]] std::string checked_format(const std::string& asked,
                                         const std::filesystem::path& output,
                                         const std::vector<CompareFormat>& formats);

} // namespace sdbench

#pragma once

#include <filesystem>
#include <string_view>

#include "sdbench/base/files/descriptor.h"

namespace sdbench {

/// A folder in cache_folder(). Throws Error if that is unknown.
[[nodiscard]] std::filesystem::path kept_folder(std::string_view name);

/// Opens the file NAME.lock next to an entry and creates it if needed. The file is never removed,
/// because another process may wait for it. Throws Error if it cannot be written.
[[nodiscard]] Descriptor open_lock(const std::filesystem::path& entry);

} // namespace sdbench

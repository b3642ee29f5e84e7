#pragma once

#include <filesystem>
#include <string_view>

#include "sdbench/base/core/descriptor.h"

namespace sdbench {

/// A folder of cache_folder(). Throws Error where that is not known.
[[nodiscard]] std::filesystem::path kept_folder(std::string_view name);

/// The file NAME.lock beside an entry, made where it is not there. It stays, for another process
/// may wait for it. Throws Error where it cannot be written.
[[nodiscard]] Descriptor open_lock(const std::filesystem::path& entry);

} // namespace sdbench

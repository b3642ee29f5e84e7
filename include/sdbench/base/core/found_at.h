#pragma once

#include <filesystem>

#include "sdbench/base/core/descriptor.h"

namespace sdbench {

/// Whether `path`, or what a link there leads to, is still this very file: another program may have
/// replaced it since it was opened.
[[nodiscard]] bool is_found_at(const std::filesystem::path& path, const Descriptor& file);

} // namespace sdbench

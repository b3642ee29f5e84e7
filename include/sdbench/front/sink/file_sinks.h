#pragma once

#include <filesystem>
#include <memory>

#include "sdbench/front/sink/sink_set.h"

namespace sdbench {

/// The sink of a file, chosen by its extension. CSV, JSON lines and SQLite grow by rows; other
/// formats always hold the whole document of the records so far. Throws UsageError for an unknown
/// extension, Error for a file that cannot be written.
[[nodiscard]] std::unique_ptr<RecordSink> open_file_sink(const std::filesystem::path& file,
                                                         const Say& say);

} // namespace sdbench

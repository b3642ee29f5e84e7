#pragma once

#include <string>

#include "sdbench/front/other_engines/kept_entries.h"
#include "sdbench/front/words/screen.h"

namespace sdbench {

/// A table of the entries, with their total size.
[[nodiscard]] std::string cache_table(const KeptEntries& kept, const Screen& screen);
/// CSV with a header and one line for each entry. Sizes are in bytes, times in UTC.
[[nodiscard]] std::string cache_csv(const KeptEntries& kept);
/// A JSON list with one object for each entry, whose keys are the columns of cache_csv().
[[nodiscard]] std::string cache_json(const KeptEntries& kept);

} // namespace sdbench

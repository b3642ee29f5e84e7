#pragma once

#include <string>

#include "sdbench/front/other_engines/kept_entries.h"
#include "sdbench/front/words/screen.h"

namespace sdbench {

/// The entries in a table with their sum.
[[nodiscard]] std::string cache_table(const KeptEntries& kept, const Screen& screen);
/// A line each, in SI units and UTC, under the names of its columns.
[[nodiscard]] std::string cache_csv(const KeptEntries& kept);
/// A list of objects with the same names.
[[nodiscard]] std::string cache_json(const KeptEntries& kept);

} // namespace sdbench

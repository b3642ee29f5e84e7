#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sdbench/base/record/run_record.h"

namespace sdbench {

/// What a text of a record's field is called today, where an earlier version had another word.
[[nodiscard]] std::string_view word_of_today(std::string_view field, std::string_view text);
/// Whether a field has such words at all.
[[nodiscard]] bool has_old_words(std::string_view field);

/// What a field is called today; itself, where that is its only name.
[[nodiscard]] std::string_view field_of_today(std::string_view field);

/// Gives a row that has its runtime's version under the name of before the name of today, too.
void fill_runtime_version(RunRecord& record);

/// A row's load_s as today's rows have it: before schema version 3 prepare_s was a part of it.
[[nodiscard]] std::optional<double> load_of_today(std::int64_t schema_version,
                                                  std::optional<double> load_s,
                                                  std::optional<double> prepare_s);

} // namespace sdbench

#pragma once

#include <span>
#include <string_view>

namespace sdbench {

/// Places (among record_fields()) of what copies of one run's row cannot differ in, though one may
/// lack it: a copy may be redacted, or without raw times, but tells of the same measurement.
[[nodiscard]] std::span<const std::size_t> facts_of_a_run();

/// Throws FieldError if a row has the run_id of an earlier row but differs in such a fact; an empty
/// text is no fact.
void check_same_fact(std::size_t field, std::string_view earlier, std::string_view later);

} // namespace sdbench

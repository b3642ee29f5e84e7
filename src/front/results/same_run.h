#pragma once

#include <span>
#include <string_view>

namespace sdbench {

/// Places (among record_fields()) of fields in which copies of one run's row cannot differ. A copy
/// may be redacted or lack raw times, so a field may be empty.
[[nodiscard]] std::span<const std::size_t> facts_of_a_run();

/// Throws FieldError if a row has the run_id of an earlier row but differs in such a fact. Ignores
/// empty texts.
void check_same_fact(std::size_t field, std::string_view earlier, std::string_view later);

} // namespace sdbench

#pragma once

#include "sdbench/record/run_record.h"

namespace sdbench::test {

/// A record with a value in every field, the awkward ones included.
[[nodiscard]] RunRecord full_record();
/// A record of a cell that never ran: most fields are empty.
[[nodiscard]] RunRecord failed_record();

} // namespace sdbench::test

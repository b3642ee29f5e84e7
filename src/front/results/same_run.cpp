#include "same_run.h"

#include <array>
#include <string>

#include "sdbench/base/text/in_quotes.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

std::span<const std::size_t> facts_of_a_run() {
  static const std::array<std::size_t, 6> fields = {
      field_index("time_utc"), field_index("workload_id"), field_index("variant_id"),
      field_index("status"),   field_index("unet_it_s"),   field_index("e2e_s")};
  return fields;
}

void check_same_fact(std::size_t field, std::string_view earlier, std::string_view later) {
  if (!earlier.empty() && !later.empty() && earlier != later) {
    throw FieldError("run_id", "must name one run alone, but an earlier row has the same and "
                               "another " +
                                   std::string(record_fields()[field].name) + " (" +
                                   in_quotes(earlier) + ", here " + in_quotes(later) +
                                   "); the earlier one is kept");
  }
}

} // namespace sdbench

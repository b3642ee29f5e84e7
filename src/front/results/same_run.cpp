#include "same_run.h"

#include <string>

#include "sdbench/base/text/in_quotes.h"
#include "sdbench/front/record/field_access.h"

namespace sdbench {

void check_same_fact(FieldName field, std::string_view earlier, std::string_view later) {
  if (!earlier.empty() && !later.empty() && earlier != later) {
    throw FieldError("run_id", "must name one run alone, but an earlier row has the same and "
                               "another " +
                                   std::string(field.text()) + " (" + in_quotes(earlier) +
                                   ", here " + in_quotes(later) + "); the earlier one is kept");
  }
}

} // namespace sdbench

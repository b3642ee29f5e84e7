#include "sdbench/front/record/work_record.h"

#include "sdbench/front/record/field_access.h"

namespace sdbench {

std::string said_text(const RunRecord& record, const WorkField& field) {
  return field_text(record, field_named(record_field(field)));
}

} // namespace sdbench

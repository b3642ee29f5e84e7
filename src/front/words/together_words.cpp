#include "together_words.h"

namespace sdbench {

std::string together_words(const RunRecord& record) {
  if (record.parallel_role.empty()) {
    return "alone";
  }
  return (record.parallel_role == kRoleSum ? "sum of " : "part of ") +
         std::to_string(record.parallel_devices.value_or(0));
}

} // namespace sdbench

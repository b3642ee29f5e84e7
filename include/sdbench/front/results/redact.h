#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/record/run_record.h"

namespace sdbench {

/// What can be taken out of a record before it is shared: a name, and the fields that it empties.
struct Redaction {
  std::string_view name;
  std::vector<std::string RunRecord::*> fields;
};

/// By names with commas between: "host,uuid,argv". Throws UsageError for an unknown one.
[[nodiscard]] std::vector<Redaction> redactions_named(const std::string& names);

/// All names, with their fields: for the help.
[[nodiscard]] std::string redactions_text();

/// Empties the fields; a host, UUID or PCI address that is taken out is blotted out of free texts,
/// too. Ids stay, env_id among them, which is a hash of the host's name and more.
void redact(RunRecord& record, const std::vector<Redaction>& redactions);

} // namespace sdbench

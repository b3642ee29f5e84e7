#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/record/field_name.h"
#include "sdbench/base/record/run_record.h"
#include "sdbench/front/results/made_up_names.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// What can be taken out of a record before it is shared: a name, and its fields.
struct Redaction {
  std::string_view name;
  std::vector<FieldName> fields;
};

/// By names with commas between: "host,uuid,argv", or of single fields: "host,slurm_job". Throws
/// UsageError for an unknown one.
[[nodiscard]] std::vector<Redaction> redactions_named(const std::string& names);

/// Of all that is not on the list of what may be shared (shared_fields.h).
[[nodiscard]] std::vector<Redaction> all_redactions();

/// All names, with their fields: for the help.
[[nodiscard]] std::string redactions_text();

/// Takes out the fields. A host, a card and tags get made-up names (made_up_names.h), and with the
/// host goes env_id, which is a hash of it; weights keep their identity; all else is empty. What is
/// taken out is blotted out of all texts in others' words (shared_fields.h), too, where it is a
/// host, UUID or PCI address.
class Redactor {
public:
  explicit Redactor(std::vector<Redaction> redactions) : redactions_(std::move(redactions)) {}

  /// Every row first, for their names.
  void meet(const RunRecord& record);
  void redact(RunRecord& record) const;

  /// Both at once. The files, whose names are often a host's, become "file 1" and so on.
  void redact(ResultTable& table);

  [[nodiscard]] const MadeUpNames& names() const { return names_; }

private:
  std::vector<Redaction> redactions_;
  MadeUpNames names_;
};

} // namespace sdbench

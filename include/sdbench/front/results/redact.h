#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/results/made_up_names.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// A named group of fields that are removed from a record before it is shared.
struct Redaction {
  std::string_view name;
  std::vector<FieldName> fields;
};

/// Parses names separated by commas: "uuid,slurm_job". Each is the name of a group (uuid) or of a
/// single field in a group (slurm_job). Throws UsageError for an unknown name.
[[nodiscard]] std::vector<Redaction> redactions_named(const std::string& names);

/// Redactions that remove all fields that may not be shared, and all paths (shared_fields.h).
[[nodiscard]] std::vector<Redaction> all_redactions();

/// Lists all groups with their fields, for the help text.
[[nodiscard]] std::string redactions_text();

/// Removes the fields of the chosen redactions from rows:
/// - Hosts, card UUIDs and tags get made-up names (made_up_names.h).
/// - Models, weights, data and settings lose only their paths.
/// - All other fields become empty.
/// - If the host is removed, env_id is also replaced, because it is a hash that covers the host.
/// - Removed hosts, UUIDs and PCI addresses are also removed from free texts (shared_fields.h).
class Redactor {
public:
  explicit Redactor(std::vector<Redaction> redactions) : redactions_(std::move(redactions)) {}

  /// Collects the names of a row. Call it for every row before redact(), so that made-up names are
  /// known.
  void meet(const RunRecord& record);
  void redact(RunRecord& record) const;

  /// Calls meet(), then redact(), for all rows of the table. Renames the files to "file 1" and so
  /// on, because file names often contain a host's name.
  void redact(ResultTable& table);

  [[nodiscard]] const MadeUpNames& names() const { return names_; }

private:
  std::vector<Redaction> redactions_;
  MadeUpNames names_;
};

} // namespace sdbench

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/results/made_up_names.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

/// Fields to remove from a record before it is shared, under one name.
struct Redaction {
  std::string_view name;
  std::vector<FieldName> fields;
};

/// Parses names separated by commas ("host,uuid,argv"), which may be of single fields
/// ("host,slurm_job"). Throws UsageError for an unknown name.
[[nodiscard]] std::vector<Redaction> redactions_named(const std::string& names);

/// Redactions of all fields that may not be shared (shared_fields.h).
[[nodiscard]] std::vector<Redaction> all_redactions();

/// All names with their fields, for the help.
[[nodiscard]] std::string redactions_text();

/// Removes the fields. Hosts, cards and tags get made-up names (made_up_names.h); weights keep
/// their identity; all else becomes empty. With the host it also replaces env_id, which is a hash
/// of it. Hosts, UUIDs and PCI addresses are also removed from free texts (shared_fields.h).
class Redactor {
public:
  explicit Redactor(std::vector<Redaction> redactions) : redactions_(std::move(redactions)) {}

  /// Call it for every row before redact(), to make the names.
  void meet(const RunRecord& record);
  void redact(RunRecord& record) const;

  /// Does both for all rows. Files become "file 1" and so on, because their names are often a
  /// host's.
  void redact(ResultTable& table);

  [[nodiscard]] const MadeUpNames& names() const { return names_; }

private:
  std::vector<Redaction> redactions_;
  MadeUpNames names_;
};

} // namespace sdbench

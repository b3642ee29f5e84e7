#include "sdbench/front/results/redact.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/errors/suggestion.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/ids.h"
#include "sdbench/front/results/redacted_text.h"
#include "sdbench/front/results/shared_fields.h"

namespace sdbench {
namespace {

const std::vector<Redaction>& known_redactions() {
  static const std::vector<Redaction> table = {
      {"host", {"host", "slurm_node", "slurm_partition"}},
      {"uuid", {"device_uuid", "device_pci_address", "cuda_visible_devices"}},
      // A record has no command line; these hold its words, with paths and names in them.
      {"argv",
       {"label", "note", "tags", "model", "data", "weights", "weights_ignored", "error",
        "stderr_tail", "graphs_obstacle", "kernels_obstacle"}},
      {"label", {"label"}},
      {"note", {"note"}},
      {"tags", {"tags"}},
      {"prompt", {"prompt_sha256"}},
      {"processes", {"gpu_processes", "busy_programs"}},
      {"slurm", {"slurm_job", "slurm_node", "slurm_partition", "slurm_sharing"}},
      {"system", {"os", "kernel", "container", "preloaded"}},
  };
  return table;
}

/// Fields whose values reveal the record's owner wherever they appear. A list of devices ("0,1")
/// does not.
constexpr FieldName kTellingNames[] = {"host", "slurm_node", "device_uuid", "device_pci_address"};

/// A row of a ResultTable, as redact_row() sees it.
class TableRow {
public:
  TableRow(ResultTable& table, std::size_t row) : table_(table), row_(row) {}
  [[nodiscard]] std::string text(FieldName field) const { return table_.value_text(row_, field); }
  void set(FieldName field, const std::string& text) { table_.set(row_, field.place(), text); }

private:
  ResultTable& table_;
  std::size_t row_;
};

/// The same for a record.
class RecordRow {
public:
  explicit RecordRow(RunRecord& record) : record_(record) {}
  [[nodiscard]] std::string text(FieldName field) const {
    return field_text(record_, field_named(field));
  }
  void set(FieldName field, const std::string& text) {
    set_field_text(record_, field_named(field), text);
  }

private:
  RunRecord& record_;
};

std::string in_its_place(FieldName field, const std::string& text, const MadeUpNames& names) {
  if (field == FieldName("host")) {
    return names.machine(text);
  }
  if (field == FieldName("device_uuid")) {
    return names.card(text);
  }
  if (field == FieldName("tags")) {
    return names.tags(text);
  }
  return std::ranges::count(fields_with_paths(), field) > 0 ? without_paths(field, text) : "";
}

template <typename Row>
void meet_row(MadeUpNames& names, const Row& row) {
  for (const FieldName field :
       {FieldName("host"), FieldName("device_uuid"), FieldName("env_id"), FieldName("tags")}) {
    names.meet(row.text(field), row.text("time_utc"), row.text("run_id"));
  }
}

template <typename Row>
RunRecord work_of(const Row& row) {
  RunRecord work;
  for (const FieldName field : workload_fields()) {
    set_field_text(work, field_named(field), row.text(field));
  }
  return work;
}

/// Fields in which a telling name may appear again. Leaves out tags that are themselves replaced,
/// because their made-up names are derived from the real tags.
std::vector<FieldName> fields_to_blot(bool tags_go) {
  std::vector<FieldName> fields = fields_in_others_words();
  std::erase_if(fields, [&](FieldName field) {
    return std::ranges::find(kTellingNames, field) != std::end(kTellingNames) ||
           (tags_go && field == FieldName("tags"));
  });
  return fields;
}

template <typename Row>
void redact_row(Row row, const std::vector<FieldName>& fields, const MadeUpNames& names) {
  const auto goes = [&](FieldName field) { return std::ranges::count(fields, field) > 0; };
  const RunRecord before = work_of(row);
  static const std::vector<FieldName> with_tags = fields_to_blot(false);
  static const std::vector<FieldName> without_tags = fields_to_blot(true);
  for (const FieldName name : kTellingNames) {
    const std::string word = goes(name) ? row.text(name) : "";
    if (word.empty() || word == in_its_place(name, word, names)) {
      continue; // a made-up name stays
    }
    for (const FieldName field : goes("tags") ? without_tags : with_tags) {
      const std::string text = row.text(field);
      if (text.find(word) != std::string::npos && is_in_others_words(field, text)) {
        row.set(field, blotted(text, word));
      }
    }
  }
  for (const FieldName field : fields) {
    row.set(field, in_its_place(field, row.text(field), names));
  }
  // An id computed from a whole path would confirm a guess of it, and contradict the columns.
  if (const RunRecord after = work_of(row);
      (after.model != before.model || after.data != before.data) &&
      row.text("workload_id") == workload_id_of(before)) {
    row.set("workload_id", workload_id_of(after));
    row.set("cell_id",
            cell_id_of(row.text("workload_id"), row.text("variant_id"), row.text("device")));
  }
  if (goes("host")) {
    row.set("env_id", names.env_id(row.text("env_id")));
  }
}

constexpr std::string_view kPrivate = "private"; ///< name of the redaction of all private fields

/// Raw times may contain names of parts and a stage that this program does not know.
void keep_known_parts(RunRecord& record) {
  const auto parts = task_row_of(record.task).parts;
  const auto keep = [&](RunSample& sample) {
    std::erase_if(sample.parts,
                  [&](const PartTime& part) { return std::ranges::count(parts, part.name) == 0; });
  };
  std::ranges::for_each(record.samples, keep);
  if (record.first_image) {
    keep(*record.first_image);
  }
  if (record.partial_run && !cell_stage_named(record.partial_run->stage)) {
    record.partial_run->stage.clear();
  }
}

std::vector<FieldName> fields_of(const std::vector<Redaction>& redactions) {
  std::vector<FieldName> fields;
  for (const Redaction& redaction : redactions) {
    std::ranges::copy_if(redaction.fields, std::back_inserter(fields), [&](FieldName field) {
      return std::ranges::find(fields, field) == fields.end();
    });
  }
  return fields;
}

/// The redaction of that name in the table, or one of a single field that the table has.
std::optional<Redaction> find_redaction(const std::string& name) {
  const auto found = std::ranges::find(known_redactions(), name, &Redaction::name);
  if (found != known_redactions().end()) {
    return *found;
  }
  for (const FieldName field : fields_of(known_redactions())) {
    if (field.text() == name) {
      return Redaction{field.text(), {field}};
    }
  }
  return std::nullopt;
}

} // namespace

std::vector<Redaction> redactions_named(const std::string& names) {
  std::vector<Redaction> chosen;
  for (const std::string_view part : split(names, ',')) {
    const std::string name(part);
    const std::optional<Redaction> found = find_redaction(name);
    if (!found) {
      std::vector<std::string> all = mapped<std::string>(known_redactions(), &Redaction::name);
      const std::string list = listed(all, "or");
      for (const FieldName field : fields_of(known_redactions())) {
        all.emplace_back(field.text());
      }
      throw UsageError("--redact must be names of " + list +
                       ", or of their fields, separated by commas, but one is " + in_quotes(name) +
                       did_you_mean(name, all));
    }
    chosen.push_back(*found);
  }
  return chosen;
}

std::vector<Redaction> all_redactions() {
  return {{kPrivate, private_fields()}, {"paths", fields_with_paths()}};
}

std::string redactions_text() {
  std::string text;
  for (const Redaction& known : known_redactions()) {
    std::string line = "  " + std::string(known.name) + std::string(11 - known.name.size(), ' ');
    constexpr std::size_t kWidth = 98;
    for (const FieldName field : known.fields) {
      const std::string next =
          std::string(field.text()) + (field == known.fields.back() ? "" : ", ");
      if (line.size() + next.size() > kWidth) {
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
        line = std::string(13, ' ');
      }
      line += next;
    }
    text += line + "\n";
  }
  return text;
}

void Redactor::meet(const RunRecord& record) {
  RunRecord copy = record;
  meet_row(names_, RecordRow(copy));
}

void Redactor::redact(RunRecord& record) const {
  if (std::ranges::count(redactions_, kPrivate, &Redaction::name) > 0) {
    keep_known_parts(record);
  }
  redact_row(RecordRow(record), fields_of(redactions_), names_);
}

void Redactor::redact(ResultTable& table) {
  for (std::size_t row = 0; row < table.size(); ++row) {
    meet_row(names_, TableRow(table, row));
  }
  const std::vector<FieldName> fields = fields_of(redactions_);
  for (std::size_t row = 0; row < table.size(); ++row) {
    redact_row(TableRow(table, row), fields, names_);
  }
  table.number_files();
}

} // namespace sdbench

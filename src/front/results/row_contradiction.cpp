#include "sdbench/front/results/row_contradiction.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <vector>

#include "row_figures.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/record/confidence.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/flags.h"
#include "sdbench/front/record/ids.h"
#include "sdbench/front/record/record_field.h"
#include "sdbench/front/record/run_times.h"
#include "sdbench/front/results/made_up_names.h"
#include "sdbench/front/results/shared_fields.h"

namespace sdbench {
namespace {

/// Compares the row's figures with those that its raw times give, by the code that made the row.
std::string of_raw_times(const RowNumbers& numbers, const RunRecord& raw, const RunRecord& facts) {
  if (!has_raw_times(raw)) {
    return "";
  }
  RunRecord made;
  made.task = facts.task;
  made.width = facts.width;
  made.height = facts.height;
  made.images = facts.images;
  made.epochs = facts.epochs;
  made.unet_tflop = facts.unet_tflop;
  CellResult times;
  times.first_image = raw.first_image.value_or(RunSample{});
  times.samples = raw.samples;
  times.partial_run = raw.partial_run;
  fill_times(made, times);
  if (facts.ci95_covers == kWithinRun) {
    RunRecord sure = made; // used for its intervals only, not for its flags
    fill_confidence(sure, std::nullopt);
    made.unet_it_s_ci95_low = sure.unet_it_s_ci95_low;
    made.unet_it_s_ci95_high = sure.unet_it_s_ci95_high;
    made.images_per_min_ci95_low = sure.images_per_min_ci95_low;
    made.images_per_min_ci95_high = sure.images_per_min_ci95_high;
  }
  static const RowNumbers of_none = numbers_of(RunRecord{}); // numbers of an empty record, ignored
  const RowNumbers given = numbers_of(made);
  for (std::size_t field = 0; field < record_fields().size(); ++field) {
    if (std::isnan(of_none[field]) && differ(numbers.said(field), given[field])) {
      return contradiction_words(record_fields()[field].name, numbers.said(field),
                                 "its raw times give", given[field]);
    }
  }
  return "";
}

/// By field: true if ids or the figures of raw times depend on it.
const std::vector<bool>& fields_of_facts() {
  static const std::vector<bool> fields = [] {
    std::vector<bool> all(record_fields().size(), false);
    const auto mark = [&](const auto& names) {
      for (const FieldName name : names) {
        all[name.place()] = true;
      }
    };
    mark(workload_fields());
    mark(kEnvironmentFields);
    mark(fields_of_axes());
    mark(kVariantTexts);
    mark(std::initializer_list<FieldName>{"asked_dtype", "asked_threads", "asked_libtorch",
                                          "asked_devices", "data_place", "run_id", "workload_id",
                                          "variant_id", "env_id", "cell_id", "device",
                                          "parallel_role", "flags", "unet_tflop", "ci95_covers"});
    return all;
  }();
  return fields;
}

/// True for an id such as "w0123456789abcdef".
bool is_id(std::string_view id, char letter) {
  constexpr std::size_t kLength = 17;
  return id.size() == kLength && id.front() == letter &&
         id.find_first_not_of("0123456789abcdef", 1) == std::string_view::npos;
}

/// One of a row's ids.
struct SaidId {
  std::string_view field;
  char letter; ///< the first letter of such ids
  const std::string& text;
  [[nodiscard]] bool is_one() const { return is_id(text, letter); }
};

std::array<SaidId, 4> ids_of(const RunRecord& record) {
  return {SaidId{"workload_id", 'w', record.workload_id},
          SaidId{"variant_id", 'v', record.variant_id}, SaidId{"env_id", 'e', record.env_id},
          SaidId{"cell_id", 'c', record.cell_id}};
}

/// Finds an id that is missing or malformed. A row that has one id must have all of them.
std::string of_forms_of_ids(const RunRecord& record) {
  for (const SaidId& id : ids_of(record)) {
    if (!id.is_one()) {
      return std::string(id.field) + " is " + (id.text.empty() ? "empty" : in_quotes(id.text)) +
             ", which is not an id";
    }
  }
  return "";
}

/// True if the row still has all inputs of its env_id, some of which a redaction removes.
bool says_place(const RunRecord& record) {
  const auto is_whole = [](const std::string& text) {
    return !text.empty() && text.find(kRedacted) == std::string::npos;
  };
  return !is_made_up_host(record.host) && is_whole(record.host) && is_whole(record.os) &&
         is_whole(record.kernel) && !record.device_kind.empty() && !record.cpu.empty() &&
         record.core_count && record.host_memory_bytes;
}

/// The contradiction if an id differs from the one that its columns give; else empty.
std::string check(std::string_view name, const std::string& said, const std::string& given) {
  return said == given
             ? ""
             : std::string(name) + " is " + one_line(said) + ", but its columns give " + given;
}

/// True if the row still has all inputs of its variant_id.
bool says_way(const RunRecord& record) {
  return !record.asked_libtorch.empty() && !record.asked_dtype.empty() && record.asked_threads &&
         std::ranges::none_of(variant_values(record), [](const NamedValue& value) {
           return value.second.find(kRedacted) != std::string::npos;
         });
}

std::string of_env_id(const RunRecord& record) {
  return says_place(record) ? check("env_id", record.env_id, env_id_of(record)) : "";
}

std::string of_ids(const RowNumbers& numbers, const RunRecord& record) {
  const bool of_images = makes_images(task_row_of(record.task).task);
  const bool says_work = !record.model.empty() && numbers.says("width") && numbers.says("height") &&
                         numbers.says("batch") &&
                         (!of_images || (numbers.says("steps") && numbers.says("images") &&
                                         !record.scheduler.empty()));
  if (says_work && record.workload_id != workload_id_of(record)) {
    return check("workload_id", record.workload_id, workload_id_of(record));
  }
  if (says_way(record) && record.variant_id != variant_id_of(record)) {
    return check("variant_id", record.variant_id, variant_id_of(record));
  }
  if (std::string found = of_env_id(record); !found.empty()) {
    return found;
  }
  return check("cell_id", record.cell_id,
               cell_id_of(record.workload_id, record.variant_id, record.device));
}

std::string contradiction(const RowNumbers& numbers, const RunRecord& raw, const RunRecord& facts) {
  const auto ids = ids_of(facts);
  const bool says_ids = std::ranges::any_of(ids, [](const SaidId& id) { return !id.text.empty(); });
  const bool has_ids = says_ids && (std::ranges::any_of(ids, &SaidId::is_one) ||
                                    SaidId{"run_id", 'r', facts.run_id}.is_one());
  if (says_ids && !has_ids) {
    return ""; // all ids are of a different program, whose rules are unknown
  }
  std::string found = contradiction_of_figures(numbers, facts);
  // The raw times in rows of a parallel execution are not all of one device, so they check nothing.
  if (found.empty() && facts.parallel_role.empty()) {
    found = of_raw_times(numbers, raw, facts);
  }
  if (found.empty() && has_ids) {
    found = of_forms_of_ids(facts);
  }
  if (found.empty() && has_ids) {
    found = of_ids(numbers, facts);
  }
  return found.empty() && has_flag(facts, kContradicts) ? "its flag says so" : found;
}

} // namespace

std::string contradiction_of(std::span<const FieldValue> row, const RawTimes& raw) {
  RowNumbers numbers;
  RunRecord facts;
  RunRecord with_raw;
  for (const auto& [field, value] : row) {
    const RecordField& known = record_fields()[field];
    if (type_name(known) != "text") {
      const std::optional<double> number = value.kind == CellValue::Kind::kText
                                               ? parse_number(value.text)
                                               : std::optional(value.number);
      numbers.set(field, number);
    }
    if (fields_of_facts()[field]) {
      set_field_text(facts, known, value.as_text());
    }
  }
  put_raw_times(with_raw, raw);
  return contradiction(numbers, with_raw, facts);
}

std::string contradiction_of(const RunRecord& record) {
  return contradiction(numbers_of(record), record, record);
}

bool is_figure(std::size_t field) {
  const RecordField& facts = record_fields()[field];
  return type_name(facts) != "text" && !facts.unit.empty() && facts.unit != "px";
}

} // namespace sdbench

#include "sdbench/front/words/record_table.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "record_figures.h"
#include "sdbench/base/core/number_text.h"
#include "sdbench/base/core/task.h"
#include "sdbench/base/core/units.h"
#include "sdbench/front/words/engine_words.h"
#include "together_words.h"

namespace sdbench {
namespace {

struct Column {
  const char* head;
  bool is_number;
  std::string (*text)(const RunRecord& record);
  /// Only where a row is of a model of this kind.
  std::optional<ModelKind> kind = std::nullopt;
};

using R = RunRecord;

const Column kColumns[] = {
    {"model", false, [](const R& r) { return r.model; }},
    {"size", false, [](const R& r) { return size_text(r.width, r.height); }},
    {"steps", true, [](const R& r) { return std::to_string(r.steps); }},
    {"batch", true, [](const R& r) { return std::to_string(r.batch); }},
    {"task", false, [](const R& r) { return r.task; }, ModelKind::kNetwork},
    {"images", true, [](const R& r) { return std::to_string(r.images); }, ModelKind::kNetwork},
    {"device", false, [](const R& r) { return r.device_name; }},
    {"on", false, [](const R& r) { return r.device; }},
    {"together", false, together_words},
    {"dtype", false, [](const R& r) { return r.dtype_unet; }},
    {"attention", false, [](const R& r) { return r.attention_used; }},
    {"engine", false, engine_words},
    {"UNet it/s", true, [](const R& r) { return figure_text(r.unet_it_s); }},
    {"95 % interval", true,
     [](const R& r) {
       return r.unet_it_s_ci95_low && r.unet_it_s_ci95_high
                  ? significant_text(*r.unet_it_s_ci95_low, 4) + " to " +
                        significant_text(*r.unet_it_s_ci95_high, 4) + ", " + r.ci95_covers
                  : "";
     }},
    {"step sd ms", true,
     [](const R& r) { return r.step_s_sd ? significant_text(*r.step_s_sd * 1e3) : ""; }},
    {"end to end s", true, [](const R& r) { return figure_text(r.e2e_s); }},
    {"images/min", true, [](const R& r) { return figure_text(r.images_per_min); }},
    {"images/s", true, [](const R& r) { return figure_text(r.images_per_s); }, ModelKind::kNetwork},
    {"MP/s", true, [](const R& r) { return figure_text(r.megapixels_per_s); }},
    {"peak memory", true, peak_memory_text},
    {"weights", false, [](const R& r) { return r.weights; }},
    {"status", false, [](const R& r) { return r.status; }},
    {"flags", false, [](const R& r) { return r.flags; }},
    {"other programs", false, [](const R& r) { return r.busy_programs; }},
    {"label", false, [](const R& r) { return r.label; }},
};

} // namespace

ViewTable record_table(std::span<const RunRecord> records) {
  std::vector<const Column*> columns;
  for (const Column& column : kColumns) {
    if (!column.kind || std::ranges::any_of(records, [&](const R& record) {
          return task_row_of(record.task).kind == *column.kind;
        })) {
      columns.push_back(&column);
    }
  }
  ViewTable table;
  for (const Column* column : columns) {
    table.columns.push_back({.head = column->head, .is_number = column->is_number});
  }
  for (const RunRecord& record : records) {
    ViewRow& row = table.rows.emplace_back();
    for (const Column* column : columns) {
      row.cells.push_back(column->text(record));
    }
  }
  return table;
}

bool is_record_table(std::string_view text) {
  return text.starts_with("| " + std::string(kColumns[0].head) + " | " + kColumns[1].head + " |");
}

} // namespace sdbench

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

using R = RunRecord;

/// Which rows a column is for: it stands where one of the table's is such a row.
using IsFor = bool (*)(const R& record);

bool is_network(const R& r) {
  return !makes_images(task_row_of(r.task).task);
}
bool trains(const R& r) {
  return !r.weight_update.empty();
}
bool has_epochs(const R& r) {
  return r.epochs.has_value();
}
bool has_tags(const R& r) {
  return !r.tags.empty();
}

struct Column {
  const char* head;
  bool is_number;
  std::string (*text)(const R& record);
  IsFor is_for = nullptr; ///< null: all
};

/// What the sweep's table on a terminal tells rows of a network apart by is here, too.
const Column kColumns[] = {
    {"model", false, [](const R& r) { return r.model; }},
    {"size", false, [](const R& r) { return size_text(r.width, r.height); }},
    {"steps", true, [](const R& r) { return std::to_string(r.steps); }},
    {"batch", true, [](const R& r) { return std::to_string(r.batch); }},
    {"task", false, [](const R& r) { return r.task; }, is_network},
    {"images", true, [](const R& r) { return std::to_string(r.images); }, is_network},
    {"iterations", true, iterations_text, is_network},
    {"epochs", true, [](const R& r) { return r.epochs ? std::to_string(*r.epochs) : ""; },
     has_epochs},
    {"data", false, [](const R& r) { return r.data; }, has_epochs},
    {"data place", false, [](const R& r) { return r.data_place; }, has_epochs},
    {"update", false, [](const R& r) { return r.weight_update; }, trains},
    {"loss", false, loss_text, trains},
    {"seed", true, [](const R& r) { return std::to_string(r.seed); }, is_network},
    {"device", false, [](const R& r) { return r.device_name; }},
    {"on", false, [](const R& r) { return r.device; }},
    {"together", false, together_words},
    {"dtype", false, [](const R& r) { return r.dtype_unet; }},
    {"attention", false, [](const R& r) { return r.attention_used; }},
    {"engine", false, engine_words},
    {"threads", true, [](const R& r) { return r.threads ? std::to_string(*r.threads) : ""; },
     is_network},
    {"runs", true, [](const R& r) { return r.repeat > 0 ? std::to_string(r.repeat) : ""; },
     is_network},
    {"round", true, [](const R& r) { return std::to_string(r.round); }, is_network},
    {"restart", true, [](const R& r) { return std::to_string(r.restart); }, is_network},
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
    {"images/s", true, [](const R& r) { return figure_text(r.images_per_s); }, is_network},
    {"its 95 % interval", true,
     [](const R& r) {
       const std::string interval = is_network(r) ? images_interval_text(r) : "";
       return interval.empty() ? "" : interval + ", " + r.ci95_covers;
     },
     is_network},
    {"MP/s", true, [](const R& r) { return figure_text(r.megapixels_per_s); }},
    {"TFLOP/s", true, [](const R& r) { return figure_text(r.achieved_tflops); }, is_network},
    {"first epoch s", true, [](const R& r) { return figure_text(r.epoch_s_first); }, has_epochs},
    {"epoch s", true, [](const R& r) { return figure_text(r.epoch_s_median); }, has_epochs},
    {"accuracy", true, [](const R& r) { return figure_text(r.accuracy); }, has_epochs},
    {"peak memory", true, peak_memory_text},
    {"weights", false, [](const R& r) { return r.weights; }},
    {"status", false, [](const R& r) { return r.status; }},
    {"flags", false, [](const R& r) { return r.flags; }},
    {"other programs", false, [](const R& r) { return r.busy_programs; }},
    {"label", false, [](const R& r) { return r.label; }},
    {"note", false, [](const R& r) { return r.note; }, is_network},
    {"tags", false, [](const R& r) { return r.tags; }, has_tags},
};

} // namespace

ViewTable record_table(std::span<const RunRecord> records) {
  std::vector<const Column*> columns;
  for (const Column& column : kColumns) {
    if (column.is_for == nullptr || std::ranges::any_of(records, column.is_for)) {
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

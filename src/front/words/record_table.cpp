#include "sdbench/front/words/record_table.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "record_figures.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/types/task.h"
#include "sdbench/front/record/flags.h"
#include "sdbench/front/words/engine_words.h"
#include "together_words.h"

namespace sdbench {
namespace {

using R = RunRecord;

/// True for rows that a column is for. The table has the column if this holds for any of its rows.
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

enum class Kind {
  kWords,
  kCount,  ///< a number that was asked for
  kFigure, ///< a number that was measured
};

struct Column {
  const char* head;
  Kind kind;
  std::string (*text)(const R& record);
  IsFor is_for = nullptr; ///< null for all rows
};

/// Also has the columns by which the sweep's table on a terminal tells rows of a network apart.
const Column kColumns[] = {
    {"model", Kind::kWords, [](const R& r) { return r.model; }},
    {"size", Kind::kWords, [](const R& r) { return size_text(r.width, r.height); }},
    {"steps", Kind::kCount, [](const R& r) { return std::to_string(r.steps); }},
    {"batch", Kind::kCount, [](const R& r) { return std::to_string(r.batch); }},
    {"task", Kind::kWords, [](const R& r) { return r.task; }, is_network},
    {"images", Kind::kCount, [](const R& r) { return std::to_string(r.images); }, is_network},
    {"iterations", Kind::kCount, iterations_text, is_network},
    {"epochs", Kind::kCount, [](const R& r) { return r.epochs ? std::to_string(*r.epochs) : ""; },
     has_epochs},
    {"data", Kind::kWords, [](const R& r) { return r.data; }, has_epochs},
    {"data place", Kind::kWords, [](const R& r) { return r.data_place; }, has_epochs},
    {"update", Kind::kWords, [](const R& r) { return r.weight_update; }, trains},
    {"loss", Kind::kWords, loss_text, trains},
    {"seed", Kind::kCount, [](const R& r) { return std::to_string(r.seed); }, is_network},
    {"device", Kind::kWords, [](const R& r) { return r.device_name; }},
    {"on", Kind::kWords, [](const R& r) { return r.device; }},
    {"together", Kind::kWords, together_words},
    {"dtype", Kind::kWords, [](const R& r) { return r.dtype_unet; }},
    {"attention", Kind::kWords, [](const R& r) { return r.attention_used; }},
    {"engine", Kind::kWords, engine_words},
    {"threads", Kind::kCount,
     [](const R& r) { return r.threads ? std::to_string(*r.threads) : ""; }, is_network},
    {"runs", Kind::kCount, [](const R& r) { return r.repeat > 0 ? std::to_string(r.repeat) : ""; },
     is_network},
    {"round", Kind::kCount, [](const R& r) { return std::to_string(r.round); }, is_network},
    {"restart", Kind::kCount, [](const R& r) { return std::to_string(r.restart); }, is_network},
    {"UNet it/s", Kind::kFigure, [](const R& r) { return figure_text(r.unet_it_s); }},
    {"95 % interval", Kind::kFigure,
     [](const R& r) {
       return r.unet_it_s_ci95_low && r.unet_it_s_ci95_high
                  ? significant_text(*r.unet_it_s_ci95_low, 4) + " to " +
                        significant_text(*r.unet_it_s_ci95_high, 4) + ", " + r.ci95_covers
                  : "";
     }},
    {"step sd ms", Kind::kFigure,
     [](const R& r) { return r.step_s_sd ? significant_text(*r.step_s_sd * 1e3) : ""; }},
    {"end to end s", Kind::kFigure, [](const R& r) { return figure_text(r.e2e_s); }},
    {"images/min", Kind::kFigure, [](const R& r) { return figure_text(r.images_per_min); }},
    {"images/s", Kind::kFigure, [](const R& r) { return figure_text(r.images_per_s); }, is_network},
    {"its 95 % interval", Kind::kFigure,
     [](const R& r) {
       const std::string interval = is_network(r) ? images_interval_text(r) : "";
       return interval.empty() ? "" : interval + ", " + r.ci95_covers;
     },
     is_network},
    {"MP/s", Kind::kFigure, [](const R& r) { return figure_text(r.megapixels_per_s); }},
    {"TFLOP/s", Kind::kFigure, [](const R& r) { return figure_text(r.achieved_tflops); },
     is_network},
    {"first epoch s", Kind::kFigure, [](const R& r) { return figure_text(r.epoch_s_first); },
     has_epochs},
    {"epoch s", Kind::kFigure, [](const R& r) { return figure_text(r.epoch_s_median); },
     has_epochs},
    {"accuracy", Kind::kFigure, [](const R& r) { return figure_text(r.accuracy); }, has_epochs},
    {"peak memory", Kind::kFigure, peak_memory_text},
    {"weights", Kind::kWords, [](const R& r) { return r.weights; }},
    {"status", Kind::kWords, [](const R& r) { return r.status; }},
    {"flags", Kind::kWords, [](const R& r) { return r.flags; }},
    {"other programs", Kind::kWords, [](const R& r) { return r.busy_programs; }},
    {"label", Kind::kWords, [](const R& r) { return r.label; }},
    {"note", Kind::kWords, [](const R& r) { return r.note; }, is_network},
    {"tags", Kind::kWords, [](const R& r) { return r.tags; }, has_tags},
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
    table.columns.push_back({.head = column->head, .is_number = column->kind != Kind::kWords});
  }
  for (const RunRecord& record : records) {
    ViewRow& row = table.rows.emplace_back();
    for (const Column* column : columns) {
      const std::string text = column->text(record);
      // A row that contradicts itself may have the wrong figures. Other formats still have them.
      const bool is_hidden = column->kind == Kind::kFigure && has_flag(record, kContradicts);
      row.cells.push_back(is_hidden && !text.empty() ? "–" : text);
    }
  }
  return table;
}

bool is_record_table(std::string_view text) {
  return text.starts_with("| " + std::string(kColumns[0].head) + " | " + kColumns[1].head + " |");
}

} // namespace sdbench

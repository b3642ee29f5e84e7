#include "sdbench/front/words/record_table.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "record_figures.h"
#include "sdbench/base/config/work_field_table.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/flags.h"
#include "sdbench/front/record/work_record.h"
#include "sdbench/front/words/engine_words.h"

namespace sdbench {
namespace {

using R = RunRecord;

/// True for rows that a column is for. The table has the column if this holds for any of its rows.
using IsFor = std::function<bool(const R& record)>;

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
  std::string head;
  Kind kind;
  std::function<std::string(const R& record)> text;
  IsFor is_for = nullptr; ///< null for all rows
};

Column figure_column(FieldName name, IsFor is_for = nullptr) {
  return {head_with_unit(field_named(name)), Kind::kFigure,
          [name](const R& r) { return figure_text(r, name); }, std::move(is_for)};
}

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
    figure_column("unet_it_s"),
    {"95 % interval", Kind::kFigure,
     [](const R& r) {
       return r.unet_it_s_ci95_low && r.unet_it_s_ci95_high
                  ? significant_text(*r.unet_it_s_ci95_low, 4) + " to " +
                        significant_text(*r.unet_it_s_ci95_high, 4) + ", " + r.ci95_covers
                  : "";
     }},
    {"step sd ms", Kind::kFigure,
     [](const R& r) { return r.step_s_sd ? significant_text(*r.step_s_sd * 1e3) : ""; }},
    figure_column("e2e_s"),
    figure_column("images_per_min"),
    figure_column("images_per_s", is_network),
    {"its 95 % interval", Kind::kFigure,
     [](const R& r) {
       const std::string interval = is_network(r) ? images_interval_text(r) : "";
       return interval.empty() ? "" : interval + ", " + r.ci95_covers;
     },
     is_network},
    figure_column("megapixels_per_s"),
    figure_column("achieved_tflops", is_network),
    figure_column("epoch_s_first", has_epochs),
    figure_column("epoch_s_median", has_epochs),
    figure_column("accuracy", has_epochs),
    {"peak memory", Kind::kFigure, peak_memory_text},
    {"weights", Kind::kWords, [](const R& r) { return r.weights; }},
    {"status", Kind::kWords, [](const R& r) { return r.status; }},
    {"flags", Kind::kWords, [](const R& r) { return r.flags; }},
    {"other programs", Kind::kWords, [](const R& r) { return r.busy_programs; }},
    {"label", Kind::kWords, [](const R& r) { return r.label; }},
    {"note", Kind::kWords, [](const R& r) { return r.note; }, is_network},
    {"tags", Kind::kWords, [](const R& r) { return r.tags; }, has_tags},
};

/// With those of the work's fields that are told by name.
std::vector<Column> all_columns() {
  std::vector<Column> all(std::begin(kColumns), std::end(kColumns));
  for (const WorkField& field : kWorkFields) {
    if (!field.words.empty()) {
      const auto text = [&field](const R& r) { return said_text(r, field); };
      all.insert(
          std::ranges::find(all, "seed", &Column::head),
          {std::string(field.words),
           type_name(field_named(record_field(field))) == "text" ? Kind::kWords : Kind::kCount,
           text, [text](const R& r) { return !text(r).empty(); }});
    }
  }
  return all;
}

} // namespace

ViewTable record_table(std::span<const RunRecord> records) {
  static const std::vector<Column> all = all_columns();
  std::vector<const Column*> columns;
  for (const Column& column : all) {
    if (!column.is_for || std::ranges::any_of(records, column.is_for)) {
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

} // namespace sdbench

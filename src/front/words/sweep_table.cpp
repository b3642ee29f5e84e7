#include "sdbench/front/words/sweep_table.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <vector>

#include "record_figures.h"
#include "sdbench/base/config/sampler_table.h"
#include "sdbench/base/config/work_field_table.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/own_engines.h"
#include "sdbench/base/types/status.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/work_record.h"
#include "sdbench/front/words/engine_words.h"
#include "sdbench/front/words/text_form.h"
#include "sdbench/front/words/view_table.h"

namespace sdbench {
namespace {

using R = RunRecord;

/// How the line above the table shows a value that all rows share.
enum class Above {
  kPlain,   ///< "512x512" needs no "size" before it
  kNamed,   ///< "steps 50"
  kNothing, ///< left out: of interest only where rows differ
  kUnusual, ///< like kPlain, but left out for our default engine without options
};

struct SweepColumn {
  std::string head;
  bool is_number;
  Above above;
  std::function<std::string(const RunRecord& record)> text;
  bool empty_is_a_value = false; ///< an empty text of a good row counts, as for flags and labels
  /// The table has the column only if a row's model is of this kind.
  std::optional<ModelKind> kind = std::nullopt;
};

bool is_of_images(const R& r) {
  return makes_images(task_row_of(r.task).task);
}

/// False if the model could not be read: such a row was skipped, and its guidance of 0 is unknown.
bool is_workload_known(const R& r) {
  return is_of_images(r) &&
         (r.guidance != 0 || r.unet_tflop || r.status != name_of(Status::kSkipped));
}

/// "train"; empty for rows that make images, as all rows once did.
std::string task_text(const R& r) {
  return is_of_images(r) ? "" : r.task;
}

/// The settings that may differ between the cells of a sweep.
const SweepColumn kSettings[] = {
    {"model", false, Above::kPlain, [](const R& r) { return r.model; }},
    {"task", false, Above::kPlain, task_text, false, ModelKind::kNetwork},
    {"weights", false, Above::kNamed, [](const R& r) { return r.weights; }},
    {"size", false, Above::kPlain, [](const R& r) { return size_text(r.width, r.height); }},
    {"steps", true, Above::kNamed,
     [](const R& r) { return is_of_images(r) && r.steps > 0 ? std::to_string(r.steps) : ""; }},
    {"batch", true, Above::kNamed, [](const R& r) { return std::to_string(r.batch); }},
    {"images", true, Above::kNamed,
     [](const R& r) { return is_of_images(r) ? std::to_string(r.images) : ""; }},
    {"iterations", true, Above::kNamed, iterations_text, false, ModelKind::kNetwork},
    {"epochs", true, Above::kNamed,
     [](const R& r) { return r.epochs ? std::to_string(*r.epochs) : ""; }, false,
     ModelKind::kNetwork},
    {"data", false, Above::kPlain, [](const R& r) { return r.data; }, false, ModelKind::kNetwork},
    {"data place", false, Above::kNamed, [](const R& r) { return r.data_place; }, false,
     ModelKind::kNetwork},
    {"update", false, Above::kNamed, [](const R& r) { return r.weight_update; }, false,
     ModelKind::kNetwork},
    {"loss", false, Above::kNothing, loss_text, false, ModelKind::kNetwork},
    {"guidance", true, Above::kNamed,
     [](const R& r) { return is_workload_known(r) ? number_text(r.guidance) : ""; }},
    {"seed", true, Above::kNothing, [](const R& r) { return std::to_string(r.seed); }},
    {"scheduler", false, Above::kPlain,
     [](const R& r) { return sampler_word(r.scheduler, r.noise_levels); }},
    {"spacing", false, Above::kNothing, [](const R& r) { return r.timestep_spacing; }},
    {"on", false, Above::kNothing, [](const R& r) { return r.device; }},
    {"together", false, Above::kNothing, together_words},
    {"device", false, Above::kPlain,
     [](const R& r) { // the two columns before already say a sum's "2 x NAME"
       return r.parallel_role == kRoleSum ? "" : r.device_name;
     }},
    {"dtype", false, Above::kPlain, [](const R& r) { return r.dtype_unet; }},
    {"attention", false, Above::kNamed, [](const R& r) { return r.attention; }},
    {"kernel", false, Above::kNamed, [](const R& r) { return r.attention_used; }},
    {"engine", false, Above::kUnusual, engine_words},
    {"threads", true, Above::kNothing,
     [](const R& r) { return r.threads ? std::to_string(*r.threads) : ""; }},
    {"runs", true, Above::kNothing,
     [](const R& r) { return r.repeat > 0 ? std::to_string(r.repeat) : ""; }},
    {"round", true, Above::kNothing, [](const R& r) { return std::to_string(r.round); }},
    {"restart", true, Above::kNothing, [](const R& r) { return std::to_string(r.restart); }},
    {"label", false, Above::kNamed, [](const R& r) { return r.label; }, true},
    {"note", false, Above::kNamed, [](const R& r) { return r.note; }, true},
    {"tags", false, Above::kNamed, [](const R& r) { return r.tags; }, true},
    {"interval", false, Above::kNamed, [](const R& r) { return r.ci95_covers; }, true},
    {"flags", false, Above::kNamed, [](const R& r) { return r.flags; }, true},
    {"other programs", false, Above::kNamed, [](const R& r) { return r.busy_programs; }, true},
};

const std::vector<SweepColumn>& settings_of_sweeps() {
  static const std::vector<SweepColumn> columns = [] {
    std::vector<SweepColumn> all(std::begin(kSettings), std::end(kSettings));
    for (const WorkField& field : kWorkFields) {
      if (!field.words.empty()) {
        all.insert(std::ranges::find(all, "seed", &SweepColumn::head),
                   {std::string(field.words), type_name(field_named(record_field(field))) != "text",
                    Above::kNamed, [&field](const R& r) { return said_text(r, field); }, true});
      }
    }
    return all;
  }();
  return columns;
}

/// Half the 95 % interval of the rate in the column before, in percent.
std::string half_interval(const R& r) {
  const bool by_steps = is_of_images(r);
  const auto& rate = by_steps ? r.unet_it_s : r.images_per_min;
  const auto& low = by_steps ? r.unet_it_s_ci95_low : r.images_per_min_ci95_low;
  const auto& high = by_steps ? r.unet_it_s_ci95_high : r.images_per_min_ci95_high;
  return rate && low && high ? significant_text(100 * (*high - *low) / 2 / *rate, 2) + " %" : "";
}

std::string s_per_image_text(const R& r) {
  return r.images_per_min && *r.images_per_min > 0 ? figure_text(60 / *r.images_per_min) : "";
}

const SweepColumn kScaling = {"scaling", true, Above::kNothing, [](const R& r) {
                                return r.scaling_efficiency
                                           ? significant_text(100 * *r.scaling_efficiency, 3) + " %"
                                           : "";
                              }};

SweepColumn sweep_figure(FieldName name, std::optional<ModelKind> kind = std::nullopt) {
  return {head_with_unit(field_named(name)),
          true,
          Above::kNothing,
          [name](const R& r) { return figure_text(r, name); },
          false,
          kind};
}

/// For sweeps where a row has epochs.
const SweepColumn kEpochFigures[] = {
    sweep_figure("epoch_s_first"),
    sweep_figure("epoch_s_median"),
    sweep_figure("accuracy"),
};

const SweepColumn kFigures[] = {
    sweep_figure("unet_it_s", ModelKind::kPipeline),
    sweep_figure("images_per_s", ModelKind::kNetwork),
    {"±95 %", true, Above::kNothing, half_interval},
    sweep_figure("e2e_s"),
    sweep_figure("images_per_min", ModelKind::kPipeline),
    {"s/image", true, Above::kNothing, s_per_image_text, false, ModelKind::kPipeline},
    sweep_figure("megapixels_per_s", ModelKind::kPipeline),
    sweep_figure("achieved_tflops", ModelKind::kNetwork),
    {"peak memory", true, Above::kNothing, peak_memory_text},
};

bool has_figures(const R& record) {
  return record.unet_it_s || record.images_per_s || record.epoch_s_first ||
         (record.parallel_role == kRoleSum && record.images_per_min);
}

bool has_kind(const SweepColumn& column, std::span<const R> records) {
  return !column.kind || std::ranges::any_of(records, [&](const R& record) {
    return task_row_of(record.task).kind == *column.kind;
  });
}

/// True if all records have the same value. An empty one does not count, because the cell failed
/// before the value was known.
bool is_common(const SweepColumn& column, std::span<const R> records) {
  std::optional<std::string> common;
  for (const R& record : records) {
    const std::string text = column.text(record);
    const bool counts = !text.empty() || (column.empty_is_a_value && record.status == "ok");
    if (counts && common && text != *common) {
      return false;
    }
    common = counts ? text : common;
  }
  return true;
}

std::string first_text(const SweepColumn& column, std::span<const R> records) {
  for (const R& record : records) {
    if (std::string text = column.text(record); !text.empty()) {
      return text;
    }
  }
  return {};
}

/// "sd15, 512x512, steps 50, batch 1, fp16"
std::string common_words(const std::vector<const SweepColumn*>& columns,
                         std::span<const R> records) {
  std::string words;
  for (const SweepColumn* column : columns) {
    const std::string text = first_text(*column, records);
    const bool says_nothing =
        column->above == Above::kNothing || text.empty() ||
        (column->above == Above::kUnusual && text == engine_title(kTunedEngine));
    if (!says_nothing) {
      words += (words.empty() ? "" : ", ") +
               (column->above == Above::kNamed ? column->head + " " : "") + text;
    }
  }
  return words;
}

/// ", cuda:1" if the device is one of several, ", cuda:1 (part of 2)" if they ran together, else
/// empty.
std::string device_words(const R& record) {
  if (record.parallel_role.empty()) {
    const bool is_one_of_several = record.device.find(':') != std::string::npos;
    return is_one_of_several ? ", " + record.device : "";
  }
  return ", " + record.device + " (" + together_words(record) + ")";
}

std::string failure_words(const R& record) {
  return record.error.empty() ? record.status : record.status + ": " + record.error;
}

/// `before` and the text; empty for an empty text.
std::string with_comma(const std::string& text, const char* before = ", ") {
  return text.empty() ? "" : before + text;
}

std::string words_of_cell(const R& record) {
  const std::string engine = engine_words(record);
  const std::string size = size_text(record.width, record.height);
  const std::string& attention =
      record.attention_used.empty() ? record.attention : record.attention_used;
  return record.model + with_comma(task_text(record), " ") + with_comma(size, " ") +

         with_comma(
             work_text(task_row_of(record.task).task, record.steps, record.images, record.batch)) +
         with_comma(record.dtype_unet) + with_comma(attention) + with_comma(engine) +
         device_words(record);
}

/// The settings that differ between rows, or the words of the cell if none differ.
std::string title_of(const R& record, const std::vector<const SweepColumn*>& settings) {
  std::string title;
  for (const SweepColumn* column : settings) {
    const std::string text = column->text(record);
    if (!text.empty()) {
      title += (title.empty() ? "" : ", ") +
               (column->above == Above::kPlain ? "" : column->head + " ") + text;
    }
  }
  return title.empty() ? words_of_cell(record) : title;
}

ViewRow row_of(const R& record, const std::vector<const SweepColumn*>& settings,
               const std::vector<const SweepColumn*>& figures) {
  ViewRow row;
  row.title = title_of(record, settings);
  const auto text_in = [&](const SweepColumn* column) { return column->text(record); };
  row.cells = mapped(settings, text_in);
  if (has_figures(record)) {
    std::ranges::transform(figures, std::back_inserter(row.cells), text_in);
  }
  row.trouble = record.status == "ok" ? "" : failure_words(record);
  return row;
}

ViewTable sweep_view(std::span<const R> records) {
  std::vector<const SweepColumn*> common;
  std::vector<const SweepColumn*> settings;
  for (const SweepColumn& column : settings_of_sweeps()) {
    if (!has_kind(column, records)) {
      continue;
    }
    (is_common(column, records) ? common : settings).push_back(&column);
  }
  std::vector<const SweepColumn*> figures;
  for (const SweepColumn& column : kFigures) {
    if (has_kind(column, records)) {
      figures.push_back(&column);
    }
  }
  if (std::ranges::any_of(records, [](const R& r) { return r.scaling_efficiency.has_value(); })) {
    figures.push_back(&kScaling);
  }
  if (std::ranges::any_of(records, [](const R& r) { return r.epochs.has_value(); })) {
    for (const SweepColumn& column : kEpochFigures) {
      figures.push_back(&column);
    }
  }
  ViewTable view;
  view.narrow = Narrow::kBlocks;
  view.name_columns = settings.size();
  view.title = common_words(common, records);
  for (const auto& columns : {settings, figures}) {
    for (const SweepColumn* column : columns) {
      view.columns.push_back({.head = column->head, .is_number = column->is_number});
    }
  }
  view.rows = mapped(records, [&](const R& record) { return row_of(record, settings, figures); });
  return view;
}

} // namespace

std::string to_sweep_table(std::span<const RunRecord> records, const Screen& screen) {
  const ViewTable view = sweep_view(records);
  return styled("1", line_on(screen, view.title), screen.colour) + "\n" + table_text(view, screen);
}

std::string cell_words(const RunRecord& record) {
  return one_line(words_of_cell(record));
}

std::string outcome_words(const RunRecord& record) {
  if (record.status != "ok") {
    return one_line(failure_words(record));
  }
  std::string words;
  if (record.unet_it_s) {
    words = step_rate_text(*record.unet_it_s);
  }
  if (record.images_per_s) {
    words = significant_text(*record.images_per_s) + " images/s";
  } else if (record.epoch_s_first) {
    words = "first epoch " + time_text(*record.epoch_s_first);
  } else if (record.images_per_min) {
    words += (words.empty() ? "" : ", ") + significant_text(*record.images_per_min) + " images/min";
  }
  if (record.accuracy) {
    words += ", accuracy " + significant_text(*record.accuracy);
  }
  if (record.scaling_efficiency) {
    words += ", " + kScaling.text(record) + " of perfect scaling";
  }
  return words;
}

} // namespace sdbench

#include "table_words.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/config/sampler_table.h"
#include "sdbench/base/config/work_field_table.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/own_engines.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/compare/distinct_names.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/compare/pooled_figure.h"
#include "sdbench/front/compare/row_states.h"
#include "sdbench/front/compare/shown_value.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/ids.h"
#include "sdbench/front/record/record_field.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/record/work_record.h"
#include "sdbench/front/results/result_table.h"
#include "sdbench/front/words/engine_words.h"

#include "fill_unknowns.h"

namespace sdbench {
namespace {

constexpr std::size_t kIdDigits = 6; ///< enough to tell a table's ids apart

using Rows = std::span<const std::size_t>;

/// Texts of rows of one pool, or of one row.
class Words {
public:
  Words(const ResultTable& table, Rows rows) : table_(table), rows_(rows) {}

  [[nodiscard]] std::string text(FieldName field) const {
    return std::string(table_.text(row(field), field));
  }
  [[nodiscard]] std::string with(std::string_view before, FieldName field) const {
    const std::string value = table_.value_text(row(field), field);
    return value.empty() ? "" : std::string(before) + value;
  }
  [[nodiscard]] std::int64_t count(FieldName field) const {
    constexpr double kMost = 1e15; // a file may have more than any integer can hold
    return static_cast<std::int64_t>(
        std::clamp(table_.number(row(field), field).value_or(0), -kMost, kMost));
  }
  [[nodiscard]] std::string short_id(FieldName field) const {
    return text(field).substr(0, kIdDigits);
  }
  /// The runtime that the row's runtime_version belongs to.
  [[nodiscard]] std::string runtime() const {
    return std::string(runtime_name(table_.text(rows_.front(), "engine")));
  }
  /// The field's value. A number or a version has its name before it.
  [[nodiscard]] std::string plain(FieldName field) const {
    const RecordField& known = field_named(field);
    const std::string value = titled_value(table_, row(field), field);
    if (value.empty()) {
      return "no " + std::string(known.name);
    }
    if (known.name == FieldName("runtime_version")) {
      return runtime() + " " + value; // "libtorch 2.11.0"
    }
    constexpr std::string_view kVersion = "_version"; // "driver 580.95"
    if (known.name.ends_with(kVersion)) {
      return std::string(known.name.substr(0, known.name.size() - kVersion.size())) + " " + value;
    }
    return type_name(known) == "text" ? value : std::string(known.name) + " " + value;
  }
  [[nodiscard]] std::string joined(const std::vector<std::size_t>& fields) const {
    return sdbench::joined(
        mapped(fields, [&](std::size_t field) { return plain(FieldName::at(field)); }));
  }
  [[nodiscard]] std::string file_name() const {
    const ResultOrigin& origin = table_.origin(rows_.front());
    return origin.file < table_.files().size() ? table_.files()[origin.file].filename().string()
                                               : "";
  }

private:
  [[nodiscard]] std::size_t row(FieldName field) const {
    return row_that_says(table_, rows_, field);
  }

  const ResultTable& table_;
  Rows rows_;
};

std::string device_words(const Words& words) {
  if (std::string name = words.text("device_name"); !name.empty()) {
    return name;
  }
  const std::string kind = words.text("device_kind");
  return kind.empty() ? "unknown device" : "unknown device (" + kind + ")";
}

std::string together(const Words& words) {
  const std::string role = words.text("parallel_role");
  if (role.empty()) {
    return "";
  }
  const std::string count = std::to_string(words.count("parallel_devices"));
  return role == kRoleSum ? "sum of " + count : "part of " + count + ", " + words.text("device");
}

using Fields = std::vector<std::size_t>;
using WordList = std::vector<std::string>;

/// A word that may tell a line apart.
struct LineWord {
  enum class Of {
    kPlace,   ///< the card, and the machine around it
    kState,   ///< how the card was set up
    kWay,     ///< the settings that were asked for
    kBrought, ///< software and weights that came with the work
  };
  Of of;
  std::string text;
};
using LineWordList = std::vector<LineWord>;

constexpr std::size_t kDeviceWord = 0; ///< place in line_words()
constexpr std::size_t kDtypeWord = 4;
constexpr std::size_t kAxesWord = 7;

/// The fields of an axis: what was asked for, and what was used if rows tell it.
Fields axis_fields(std::string_view axis) {
  return mapped_known(std::array{std::string(axis), std::string(axis) + "_used"}, find_field);
}

/// The words of the engine's axes, except for those that make columns.
std::string engine_axes(const Words& words, const Fields& columns) {
  RunRecord record;
  for (const std::string_view axis : axis_names()) {
    const Fields fields = axis_fields(axis);
    const bool is_column = std::ranges::find_first_of(fields, columns) != fields.end();
    for (const std::size_t field : is_column ? Fields() : fields) {
      set_field_text(record, record_fields()[field], words.text(FieldName::at(field)));
    }
  }
  return axes_words(record);
}

/// Words for where and how rows of one pool were measured, the most telling first. Takes the card's
/// state from the line, because a row may lack it.
LineWordList line_words(const ResultTable& table, Rows rows, std::string_view state,
                        const Fields& columns) {
  using enum LineWord::Of;
  const Words words(table, rows);
  const auto with = [&](std::string_view before, FieldName field) {
    const bool is_column = std::ranges::find(columns, field.place()) != columns.end();
    return is_column ? "" : words.with(before, field);
  };
  const std::string threads = with("", "threads"); // 0 for a GPU
  LineWordList list = {
      {kPlace, device_words(words)},
      {kPlace, together(words)},
      {kPlace, with("on ", "host")},
      {kPlace, with("GPU ", "device_index")},
      {kWay, with("", "dtype_unet")},
      {kWay, engine_title(with("", "engine"))},
      {kWay, with("attention ", "attention")},
      {kWay, engine_axes(words, columns)},
      {kPlace, with("cores ", "cpu_share")},
      {kWay, threads.empty() || threads == "0" ? "" : counted(words.count("threads"), "thread")},
      {kWay, with("", "openmp_config")},
      {kWay, with("", "instruction_config")},
      {kWay, with("", "cuda_config")},
      {kWay, with("shares ", "share")},
      {kWay, with("data on the ", "data_place")},
      {kBrought, with("engine revision ", "engine_revision")},
      {kBrought, with(words.runtime() + " ", "runtime_version")},
      {kPlace, with("driver ", "driver_version")},
      {kBrought, std::string(weights_kind(words.text("weights")))},
      {kPlace, with("", "os")},
      {kPlace, with("", "cpu")},
      {kPlace, with("cores ", "core_count")},
      {kPlace, with("card ", "device_uuid")},
      {kPlace, with("", "tags")}};
  for (std::string& word : words_of_state(state)) {
    list.push_back({kState, std::move(word)});
  }
  return list;
}

WordList texts_of(const LineWordList& words) {
  return mapped(words, &LineWord::text);
}

/// Words for the row's origin. They may differ between the models of a line, so the first row
/// counts.
WordList origin_words(const Words& words) {
  return {words.text("weights"), words.file_name(), words.with("", "label")};
}

/// Words for rows that share all of that: the other inputs of their ids, and what was used.
WordList told_words(const Words& words, bool pools_cards) {
  return mapped(telling_fields(), [&](FieldName field) -> std::string {
    if (pools_cards && std::ranges::find(kMachineFields, field) != kMachineFields.end()) {
      return "";
    }
    return field == FieldName("host_memory_bytes") // in whole GiB, as in an env_id
               ? "host memory " + std::to_string(words.count(field) >> 30) + " GiB"
               : words.with(std::string(field.text()) + " ", field);
  });
}

/// The fields that cannot name a line: those of the columns and, if a line may have several cards,
/// those that tell cards and their hosts apart.
Fields unnamed_fields(const CompareOptions& options) {
  Fields fields = options.column_fields;
  if (options.pools_cards) {
    std::ranges::transform(kMachineFields, std::back_inserter(fields), &FieldName::place);
    for (const FieldName field : {FieldName("device_index"), FieldName("device_uuid")}) {
      fields.push_back(field.place());
    }
  }
  return fields;
}

/// By line, the rows with figures of each pool. Failed rows may lack fields, so they count only for
/// a line without figures, which has the rows of its first pool.
std::vector<std::vector<Rows>> rows_of_lines(const Comparison& comparison) {
  std::vector<std::vector<Rows>> rows(comparison.lines.size());
  for (const Pool& pool : comparison.pools) {
    if (!pool.rows.empty()) {
      rows[pool.line].emplace_back(pool.rows);
    }
  }
  for (const Pool& pool : comparison.pools) {
    if (rows[pool.line].empty()) {
      rows[pool.line].push_back(pool.sample_rows());
    }
  }
  return rows;
}

/// The words that all pools share. Words that differ are cleared, because they cannot name the
/// line.
template <typename WordsOf>
WordList shared_words(const std::vector<Rows>& pools, const WordsOf& words_of) {
  WordList shared = words_of(pools.front());
  for (const Rows rows : std::span(pools).subspan(1)) {
    keep_shared(shared, words_of(rows));
  }
  return shared;
}

/// Stores the words of a line by their kind.
void keep_words(ComparedLine& line, const WordList& shared, const LineWordList& kinds) {
  using enum LineWord::Of;
  const auto of = [&](LineWord::Of kind) {
    WordList words;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      if (kinds[i].of == kind) {
        words.push_back(shared[i]);
      }
    }
    return words;
  };
  line.place_words = of(kPlace);
  line.state_words = of(kState);
  line.way_words = of(kWay);
  line.brought_words = of(kBrought);
}

std::string first_said(const WordList& words) {
  const auto found = std::ranges::find_if(words, [](const auto& word) { return !word.empty(); });
  return found == words.end() ? "" : *found;
}

/// The field's word in the name of a column: "guidance 7.5"; empty if the name does not have it.
std::string work_word(const Words& words, Task task, const WorkField& field) {
  if (!field.names_columns || !has_field(task, field)) {
    return "";
  }
  return is_sampler(field) ? sampler_word(words.text("scheduler"), words.text("noise_levels"))
                           : words.with(std::string(label_of(field)) + " ", record_field(field));
}

template <typename Items>
void give_names(Items& items, const std::vector<Nameable>& nameable) {
  const std::vector<std::string> names = distinct_names(nameable);
  for (std::size_t i = 0; i < items.size(); ++i) {
    items[i].name = names[i];
  }
}

} // namespace

std::string device_words(const ResultTable& table, std::size_t row) {
  return device_words(Words(table, Rows(&row, 1)));
}

void name_columns(Comparison& comparison, const ResultTable& table,
                  const std::vector<std::size_t>& fields) {
  std::vector<Nameable> nameable;
  for (const ComparedColumn& column : comparison.columns) {
    const Words words(table, Rows(&column.row, 1));
    Nameable item;
    const TaskRow& task = task_row_of(words.text("task"));
    item.base =
        words.text("model") + (makes_images(task.task) ? "" : " " + std::string(task.name)) + " " +
        words.with("", "width") + "x" + words.with("", "height") + ", " +
        work_text(task.task, words.count("steps"), words.count("images"), words.count("batch"));
    if (const std::string more = words.joined(fields); !more.empty()) {
      item.base += ", " + more;
    }
    item.words = mapped(kWorkFields,
                        [&](const WorkField& field) { return work_word(words, task.task, field); });
    item.words.push_back(words.with("", "data"));
    item.id = "workload " + words.short_id("workload_id");
    nameable.push_back(std::move(item));
  }
  give_names(comparison.columns, nameable);
}

void name_lines(Comparison& comparison, const ResultTable& table, const CompareOptions& options) {
  const auto rows = rows_of_lines(comparison);
  bool is_of_devices = true; // otherwise the columns are of devices
  for (std::size_t i = 0; i < comparison.lines.size(); ++i) {
    ComparedLine& line = comparison.lines[i];
    const WordList shared = shared_words(rows[i], [&](Rows of_pool) -> WordList {
      const Words words(table, of_pool);
      const std::string device = device_words(words);
      const std::string host = options.pools_cards ? "" : words.with(" on ", "host");
      return {device, device + host, words.text("device_arch")};
    });
    is_of_devices = is_of_devices && !shared[0].empty();
    line.machine = shared[1];
    line.generation = shared[2];
  }
  const Fields hidden = unnamed_fields(options);
  std::vector<Nameable> nameable;
  for (std::size_t i = 0; i < comparison.lines.size(); ++i) {
    const Words words(table, rows[i].front());
    const Words first(table, Rows(&comparison.lines[i].row, 1));
    Nameable item;
    item.words = shared_words(rows[i], [&](Rows of_pool) {
      return texts_of(line_words(table, of_pool, comparison.lines[i].state, hidden));
    });
    // All of a line was asked for alike, but what was used may differ between models.
    item.words[kAxesWord] = engine_axes(words, options.column_fields);
    if (!is_of_devices) {
      item.words[kDeviceWord].clear();
    }
    keep_words(comparison.lines[i], item.words,
               line_words(table, rows[i].front(), comparison.lines[i].state, hidden));
    const std::string base = first_said({item.words[kDeviceWord], item.words[kDtypeWord], "all"});
    item.base = options.row_fields.empty() ? base : first.joined(options.row_fields);
    std::ranges::move(origin_words(first), std::back_inserter(item.words));
    std::ranges::move(shared_words(rows[i],
                                   [&](Rows of_pool) {
                                     return told_words(Words(table, of_pool), options.pools_cards);
                                   }),
                      std::back_inserter(item.words));
    item.words.push_back("variant " + first.short_id("variant_id") + " on " +
                         first.short_id("env_id"));
    nameable.push_back(std::move(item));
  }
  give_names(comparison.lines, nameable);
}

std::string interval_remark(const Comparison& comparison) {
  std::set<IntervalBasis> bases;
  bool has_one_session = false;
  bool has_one_start = false;
  for (const Pool& pool : comparison.pools) {
    if (pool.figure && pool.figure->standard_error) {
      bases.insert(pool.figure->basis);
      has_one_session = has_one_session || (pool.figure->rows > 1 && pool.figure->sessions == 1);
      has_one_start = has_one_start || (pool.figure->rows > 1 && pool.figure->starts == 1);
    }
  }
  std::string text;
  const auto add = [&](IntervalBasis basis, const std::string& words) {
    if (bases.contains(basis)) {
      text += (text.empty() ? "" : "; ") + words;
    }
  };
  add(IntervalBasis::kCards, "between cards of one model (each is one, by its rows' mean)");
  add(IntervalBasis::kHosts, "between hosts (each is one, by its rows' mean), because rows do not "
                             "tell their card");
  add(IntervalBasis::kSessions, "over sessions (each call of sdbench is one, by its rows' mean)");
  add(IntervalBasis::kRows, "over rows");
  add(IntervalBasis::kRunsOfRows, "over the timed runs of all its rows where these differ less "
                                  "than the noise of their runs explains");
  add(IntervalBasis::kRunsOfOneRow,
      "over the timed runs within a row where there is but one: what another "
      "start of the program changes is not in it (a second row shows it)");
  if (has_one_session) {
    text += "; rows of one session (--restarts, --rounds) lack what another call of sdbench, at "
            "another time, changes";
  }
  if (has_one_start) {
    text += "; rounds of one start lack what another start of the program changes, too";
  }
  return text.empty() ? "" : "±95 %: Student's t interval of the mean, " + text;
}

} // namespace sdbench

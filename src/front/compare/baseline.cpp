#include "sdbench/front/compare/baseline.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>

#include <strings.h>

#include "named_cards.h"
#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/device/gpu_names.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/errors/suggestion.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/compare/pooled_figure.h"
#include "sdbench/front/compare/shown_value.h"
#include "sdbench/front/compare/verdict.h"
#include "sdbench/front/record/card_state.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/ids.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

bool is_file_or_its_folder(const fs::path& file, const fs::path& wanted) {
  const fs::path folder = file.parent_path();
  return file == wanted || folder == wanted || folder / "" == wanted;
}

/// The files (by place) that a name stands for: the file of that path, the files of that folder, or
/// the file of that name.
std::vector<bool> files_named(const ResultTable& table, const std::string& name) {
  const fs::path wanted = fs::path(name).lexically_normal();
  std::vector<bool> by_path;
  std::vector<bool> by_name;
  std::set<std::string> of_name;
  for (const fs::path& given : table.files()) {
    const fs::path file = given.lexically_normal();
    by_path.push_back(is_file_or_its_folder(file, wanted));
    by_name.push_back(file.filename() == name);
    if (by_name.back()) {
      of_name.insert(file.string());
    }
  }
  if (std::ranges::find(by_path, true) != by_path.end()) {
    return by_path;
  }
  if (of_name.size() > 1) {
    throw UsageError("--baseline must name one file, but " + in_quotes(name) + " may be " +
                     *of_name.begin() + " or " + *of_name.rbegin() + "; write its folder, too");
  }
  return by_name;
}

std::vector<bool> rows_that(const ResultTable& table, std::span<const std::size_t> rows,
                            const auto& fits) {
  std::vector<bool> chosen;
  for (const std::size_t row : rows) {
    if (fits(row)) {
      chosen.resize(table.size(), false);
      chosen[row] = true;
    }
  }
  return chosen;
}

/// All names that a baseline may have, to suggest one for a mistyped name.
std::vector<std::string> known_names(const Comparison& comparison, const ResultTable& table) {
  std::set<std::string> names = {kBestBaseline};
  for (const fs::path& file : table.files()) {
    names.insert(file.string());
  }
  for (const ComparedLine& line : comparison.lines) {
    names.insert(line.name);
    for (const FieldName field : {FieldName("host"), FieldName("label"), FieldName("engine")}) {
      names.insert(std::string(table.text(line.row, field)));
    }
  }
  names.erase("");
  return {names.begin(), names.end()};
}

/// The rows of a file, label or host of that name; the first of these kinds that fits any row. They
/// may be of any number of cards.
std::vector<bool> rows_of_group(const ResultTable& table, std::span<const std::size_t> rows,
                                const std::string& name) {
  const std::vector<bool> of_file = files_named(table, name);
  auto chosen = rows_that(table, rows, [&](std::size_t row) {
    const std::uint32_t file = table.origin(row).file;
    return file < of_file.size() && of_file[file];
  });
  for (const FieldName field : {FieldName("label"), FieldName("host")}) {
    if (chosen.empty()) {
      chosen =
          rows_that(table, rows, [&](std::size_t row) { return table.text(row, field) == name; });
    }
  }
  return chosen;
}

/// A name that fits several cards cannot choose a baseline. If the user defined the lines, or pools
/// cards, one line may have several cards.
void refuse_several_cards(const Comparison& comparison, const ResultTable& table) {
  const auto rows = mapped_if(comparison.lines, &ComparedLine::is_baseline, &ComparedLine::row);
  if (comparison.has_own_layout || comparison.pools_cards ||
      !rows_of_group(table, rows, comparison.baseline).empty()) {
    return;
  }
  if (const auto names = cards_of_baseline(comparison, table); names.size() > 1) {
    throw UsageError("--baseline must name one card, but " +
                     several_fit(comparison.baseline, names));
  }
}

/// Marks all lines that the baseline names by a line's number, a line's or machine's name, or an
/// engine.
void mark_named_lines(Comparison& comparison, const ResultTable& table) {
  const std::string& name = comparison.baseline;
  bool found = false;
  const auto mark = [&](std::size_t line) {
    comparison.lines[line].is_baseline = true;
    found = true;
  };
  for (const NamedCard& card : cards_named(comparison, table, name)) {
    std::ranges::for_each(card.lines, mark);
  }
  refuse_several_cards(comparison, table); // before engines, which may have several cards
  for (std::size_t line = 0; line < comparison.lines.size(); ++line) {
    const std::string engine(table.text(comparison.lines[line].row, "engine"));
    if (::strcasecmp(engine.c_str(), name.c_str()) == 0) {
      mark(line);
    }
  }
  if (!found) {
    throw UsageError(
        "--baseline must be best, a file, host, label, device, engine or the number of a "
        "row, but is " +
        in_quotes(name) + did_you_mean(name, known_names(comparison, table)));
  }
}

/// A field's value in the first of the pool's rows that has one.
std::string said_text(const ResultTable& table, const Pool& pool, FieldName field) {
  return table.value_text(row_that_says(table, pool.sample_rows(), field), field);
}

/// A key of the settings that were asked for and that change speed; without place and versions.
std::string settings_of(const ResultTable& table, const Pool& pool) {
  static const std::vector<FieldName> fields = [] {
    std::vector<FieldName> names = fields_of_axes();
    names.insert(names.end(),
                 {"dtype_unet", "cpu_share", "share", "parallel_devices", "parallel_role",
                  "openmp_config", "instruction_config", "cuda_config"});
    return names;
  }();
  std::string key(weights_kind(table.text(pool.sample_row(), "weights")));
  for (const FieldName field : fields) {
    const std::string said = said_text(table, pool, field);
    key += '\n' + (is_usual_choice(field.text(), said) ? "" : said); // older rows may lack an axis
  }
  return key;
}

bool is_card_state(FieldName field) {
  return std::ranges::find(card_states(), field, &CardState::field) != card_states().end();
}

/// By field, the most important first, whether place, its state and software are alike. Greater in
/// lexicographic order means nearer.
std::vector<bool> likeness(const ResultTable& table, const Pool& a, const Pool& b) {
  static const std::vector<FieldName> fields = [] {
    std::vector<FieldName> names = {"host", "device_name", "device_uuid", "device", "tags"};
    std::ranges::transform(card_states(), std::back_inserter(names), &CardState::field);
    names.insert(names.end(), {"engine_revision", "runtime_version"});
    return names;
  }();
  std::vector<bool> alike(fields.size());
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::string ours = said_text(table, a, fields[i]);
    const std::string theirs = said_text(table, b, fields[i]);
    const bool is_unknown = ours.empty() || theirs.empty(); // an unknown state fits every state
    alike[i] = ours == theirs || (is_unknown && is_card_state(fields[i]));
  }
  return alike;
}

/// The baseline's pools of one column.
class Counterparts {
public:
  Counterparts(const Comparison& comparison, const ResultTable& table, const ComparedColumn& column)
      : comparison_(comparison), table_(table) {
    for (const std::size_t place : column.pools) { // best first
      const Pool& pool = comparison.pools[place];
      if (comparison.lines[pool.line].is_baseline && pool.figure) {
        all_.push_back(place);
        by_settings_[settings_of(table, pool)].push_back(place);
      }
    }
  }

  void choose(Pool& pool) const {
    const std::vector<std::size_t> same = of_same_settings(pool);
    pool.same_settings = !same.empty();
    if (!pool.same_settings) {
      pool.base = all_.size() == 1 ? std::optional(all_.front()) : std::nullopt;
      return;
    }
    std::size_t nearest = same.front();
    const auto alike = [&](std::size_t place) {
      return likeness(table_, comparison_.pools[place], pool);
    };
    for (const std::size_t place : same) {
      nearest = alike(place) > alike(nearest) ? place : nearest;
    }
    pool.base = nearest;
  }

private:
  [[nodiscard]] std::vector<std::size_t> of_same_settings(const Pool& pool) const {
    if (const auto same = by_settings_.find(settings_of(table_, pool));
        same != by_settings_.end()) {
      return same->second;
    }
    // A row that failed while loading lacks what its settings resolved to, such as the dtype.
    std::vector<std::size_t> same;
    const std::string asked = said_text(table_, pool, "variant_id");
    std::ranges::copy_if(all_, std::back_inserter(same), [&](std::size_t place) {
      return !pool.figure && !asked.empty() &&
             said_text(table_, comparison_.pools[place], "variant_id") == asked;
    });
    return same;
  }

  const Comparison& comparison_;
  const ResultTable& table_;
  std::vector<std::size_t> all_;
  std::unordered_map<std::string, std::vector<std::size_t>> by_settings_;
};

void judge(Comparison& comparison, Pool& pool) {
  const PooledFigure* base = pool.base && comparison.pools[*pool.base].figure
                                 ? &*comparison.pools[*pool.base].figure
                                 : nullptr;
  if (base == nullptr || !pool.figure) {
    return;
  }
  if (pool.is_baseline) {
    pool.verdict = Verdict::kSame; // the same as itself
    return;
  }
  pool.relative = relative_to(comparison.metric, *pool.figure, *base);
  pool.verdict = verdict_of(comparison.metric, *pool.figure, *base, comparison.threshold);
}

void choose_best(Comparison& comparison, const ResultTable& table) {
  for (const ComparedColumn& column : comparison.columns) {
    const std::size_t best = column.pools.front();
    for (const std::size_t place : column.pools) {
      Pool& pool = comparison.pools[place];
      pool.base = best;
      pool.is_baseline = place == best && pool.figure.has_value();
      pool.same_settings = settings_of(table, pool) == settings_of(table, comparison.pools[best]);
    }
  }
}

} // namespace

std::vector<bool> baseline_rows(const ResultTable& table, std::span<const std::size_t> rows,
                                const std::string& name) {
  if (name == kBestBaseline || name.empty()) {
    return {};
  }
  std::vector<bool> chosen = rows_of_group(table, rows, name);
  const auto try_field = [&](FieldName field, const auto& fits) {
    if (chosen.empty()) {
      chosen =
          rows_that(table, rows, [&](std::size_t row) { return fits(table.text(row, field)); });
    }
  };
  try_field("device_name", [&](std::string_view device) { return device == name; });
  if (const std::string card = short_gpu_name(name); !card.empty()) {
    try_field("device_name",
              [&](std::string_view device) { return short_gpu_name(device) == card; });
  }
  if (name.size() >= kShortestRunId) {
    try_field("run_id", [&](std::string_view run_id) { return run_id.starts_with(name); });
  }
  return chosen;
}

void choose_baselines(Comparison& comparison, const ResultTable& table) {
  if (comparison.baseline == kBestBaseline) {
    choose_best(comparison, table);
  } else {
    const auto is_marked = [](const ComparedLine& line) { return line.is_baseline; };
    if (std::ranges::none_of(comparison.lines, is_marked)) {
      mark_named_lines(comparison, table);
    } else {
      refuse_several_cards(comparison, table);
    }
    for (const ComparedColumn& column : comparison.columns) {
      const Counterparts counterparts(comparison, table, column);
      for (const std::size_t place : column.pools) {
        Pool& pool = comparison.pools[place];
        pool.is_baseline = comparison.lines[pool.line].is_baseline;
        if (pool.is_baseline) {
          pool.base = place;
          pool.same_settings = true;
        } else {
          counterparts.choose(pool);
        }
      }
    }
  }
  for (Pool& pool : comparison.pools) {
    judge(comparison, pool);
  }
}

} // namespace sdbench

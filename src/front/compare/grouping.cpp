#include "sdbench/front/compare/grouping.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>

#include "row_ways.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/compare/row_states.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/flags.h"
#include "sdbench/front/record/ids.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/record/work_record.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {
namespace {

using Names = std::vector<FieldName>;

/// The work: the parts of workload_id, except the task, which the oldest rows lack.
const Names kWorkNames = [] {
  Names names = {"workload_id", "model"};
  std::ranges::copy_if(kWorkFieldNames, std::back_inserter(names),
                       [](FieldName name) { return name != FieldName("task"); });
  names.push_back("data_identity");
  return names;
}();
/// Of the place, what the cards of one model share.
const Names kCardFields = {"device_name", "driver_version"};
/// The place and the way of the work: the parts of env_id and variant_id.
const Names kPlaceFields = {"host", "device_name", "driver_version", "os", "cpu", "core_count"};
const Names kWayFields = variant_fields();

bool holds(const Names& names, FieldName name) {
  return std::ranges::find(names, name) != names.end();
}

/// Keys consist of the bytes of text ids, so that grouping 100 000 rows needs no texts.
void append_number(std::string& key, std::uint64_t number) {
  for (int shift = 0; shift < 64; shift += 8) {
    key += static_cast<char>((number >> static_cast<unsigned>(shift)) & 0xffU);
  }
}

class KeyMaker {
public:
  KeyMaker(const ResultTable& table, std::span<const std::size_t> rows,
           const CompareOptions& options, const std::vector<bool>& base_rows)
      : table_(table), base_rows_(base_rows),
        column_fields_(mapped(options.column_fields, FieldName::at)),
        pools_cards_(options.pools_cards), asked_(table, uncounted()), ways_(table, uncounted()) {
    for (const auto& field : record_fields()) { // ResultTable keeps the same fields as texts
      is_text_.push_back(type_name(field) == "text" ||
                         std::holds_alternative<std::uint64_t RunRecord::*>(field.member));
    }
    const bool ways_taken = std::ranges::any_of(
        column_fields_, [](FieldName name) { return !holds(kWorkNames, name); });
    if (!ways_taken) {
      // env_id alone is not enough, because a file may have the same id for a different card.
      line_fields_.push_back("variant_id");
      std::ranges::copy(kCardFields, std::back_inserter(line_fields_));
      if (!pools_cards_) {
        line_fields_.insert(line_fields_.end(), {"env_id", "cpu"});
      }
    } else {
      add_parts_of_ids();
    }
    std::erase_if(line_fields_, [&](FieldName name) { return holds(column_fields_, name); });
    states_ = row_states(table, rows, column_fields_);
    std::ranges::transform(options.row_fields, std::back_inserter(line_fields_), FieldName::at);
    for (const std::size_t row : rows) { // first, because line and column keys use asked_
      asked_.add(row, ids_key(row));
    }
    asked_.fill();
    for (const std::size_t row : rows) {
      ways_.add(row, line_key(row) + '/' + column_key(row) + '/' + ids_key(row));
    }
    ways_.fill();
  }

  [[nodiscard]] std::string column_key(std::size_t row) const {
    std::string key;
    append_all(key, row, kWorkNames); // not only the id, which may be anything in a file
    append_number(key, static_cast<std::uint64_t>(task_row_of(table_.text(row, "task")).task));
    append_asked(key, row, column_fields_);
    return key;
  }

  [[nodiscard]] std::string line_key(std::size_t row) const {
    std::string key;
    append_asked(key, row, line_fields_);
    if (tells_cards_) {
      append_card(key, row);
    }
    if (table_.text_id(row, "parallel_role") != 0) {
      append(key, row, "device");
    }
    key += weights_kind(table_.text(row, "weights"));
    key += is_base(row) ? 'b' : 'o';
    return key;
  }

  /// Key of everything else that rows of one pool must share.
  [[nodiscard]] std::string way_key(std::size_t row) const {
    std::string key = ids_key(row);
    append_number(key, ways_.of(row));
    append_card(key, row); // columns may tell no cards apart, for example if they are labels
    if (table_.text_id(row, "variant_id") == 0) { // rows without ids differ by the ids' inputs
      append_all(key, row, kWayFields);
    }
    if (table_.text_id(row, "env_id") == 0) {
      append_all(key, row, place_fields());
    }
    return key;
  }

  /// How the row's card was set up, without the fields that make columns. Each state is a machine
  /// of its own.
  [[nodiscard]] const std::string& state_key(std::size_t row) const { return states_[row]; }

  /// True if two rows of one place may be in one pool. A failed row may lack its weights and the
  /// values that its settings resolved to.
  [[nodiscard]] bool fits(std::size_t row, std::size_t other) const {
    return states_[row] == states_[other] && ways_.fits(row, other);
  }

  [[nodiscard]] bool is_base(std::size_t row) const {
    return !base_rows_.empty() && base_rows_[row];
  }

private:
  /// Adds the parts of variant_id and env_id instead of the ids, so that parts that make columns do
  /// not also make lines.
  void add_parts_of_ids() {
    std::ranges::copy(kWayFields, std::back_inserter(line_fields_));
    tells_cards_ = std::ranges::none_of(column_fields_, [](FieldName name) {
      return name == "env_id" || name == "label" || name.text().starts_with("device") ||
             (name != "driver_version" && holds(kPlaceFields, name));
    });
    if (tells_cards_) { // otherwise the columns are machines
      std::ranges::copy(place_fields(), std::back_inserter(line_fields_));
    }
  }

  [[nodiscard]] std::string ids_key(std::size_t row) const {
    std::string key;
    append_all(key, row, {"variant_id", "weights"});
    if (!pools_cards_) {
      append(key, row, "env_id");
    }
    return key;
  }

  [[nodiscard]] const Names& place_fields() const {
    return pools_cards_ ? kCardFields : kPlaceFields;
  }

  /// The fields that do not keep rows apart.
  [[nodiscard]] std::span<const FieldName> uncounted() const {
    return pools_cards_ ? std::span<const FieldName>(kMachineFields) : std::span<const FieldName>();
  }

  /// Two equal cards in one host are two machines, unless cards are pooled.
  void append_card(std::string& key, std::size_t row) const {
    if (!pools_cards_) {
      append(key, row,
             table_.text(row, "device_uuid").empty() ? FieldName("device_index") : "device_uuid");
    }
  }

  void append(std::string& key, std::size_t row, FieldName field) const {
    append_number(key, is_text_[field.place()]
                           ? table_.text_id(row, field)
                           : std::bit_cast<std::uint64_t>(table_.number(row, field).value_or(-1)));
  }

  void append_all(std::string& key, std::size_t row, const Names& fields) const {
    for (const FieldName field : fields) {
      append(key, row, field);
    }
  }

  /// Appends the fields' values. A row that failed may lack its dtype or threads, so takes them
  /// from other rows with its ids.
  void append_asked(std::string& key, std::size_t row, const Names& fields) const {
    for (const FieldName field : fields) {
      if (const auto value = asked_.value(row, field)) {
        append_number(key, *value);
      } else {
        append(key, row, field);
      }
    }
  }

  const ResultTable& table_;
  const std::vector<bool>& base_rows_;
  Names column_fields_;
  Names line_fields_ = {"engine", "engine_revision", "parallel_role", "tags"};
  bool pools_cards_;
  std::vector<bool> is_text_;
  std::vector<std::string> states_; ///< by row of the table
  RowWays asked_;                   ///< unknown values filled in from rows with the same ids
  RowWays ways_;                    ///< the same, from rows of the same place in the table
  bool tells_cards_ = true;
};

class Grouper {
public:
  Grouper(const ResultTable& table, std::span<const std::size_t> rows,
          const CompareOptions& options, const std::vector<bool>& base_rows)
      : table_(table), keys_(table, rows, options, base_rows) {
    comparison_.metric = options.metric;
    comparison_.threshold = options.threshold;
    comparison_.baseline = options.baseline;
    comparison_.pools_cards = options.pools_cards;
    comparison_.has_own_layout = !options.row_fields.empty() || !options.column_fields.empty();
  }

  /// Adds a row with a figure.
  void add_figure(std::size_t row) {
    const std::string slot = slot_key(row);
    const auto [place, is_new] = pools_.try_emplace(pool_key(row, slot), comparison_.pools.size());
    if (is_new) {
      open_pool(row, slot);
    }
    Pool& pool = comparison_.pools[place->second];
    (is_whole_by(table_.text(row, "flags")) ? pool.rows : pool.left_out).push_back(row);
  }

  /// Adds a row without a figure, after all rows with one. It joins a pool if it fits only that
  /// one.
  void add_other(std::size_t row) {
    const std::string slot = slot_key(row);
    const std::string key = pool_key(row, slot);
    const std::vector<std::size_t> fitting = fitting_pools(row, slot);
    std::size_t place = comparison_.pools.size();
    if (const auto same = pools_.find(key); same != pools_.end()) {
      place = same->second;
    } else if (fitting.size() == 1) {
      place = fitting.front();
    } else {
      pools_.emplace(key, place);
      open_pool(row, slot);
    }
    Pool& pool = comparison_.pools[place];
    (outcome_of(table_, row) == "ok" ? pool.silent : pool.failed).push_back(row);
  }

  [[nodiscard]] Comparison take() {
    for (Pool& pool : comparison_.pools) {
      if (pool.rows.empty()) { // uses rows that were cut short, but not those that were spoiled
        // Not std::ranges', which clang 14 cannot compile.
        const auto spoiled =
            std::partition(pool.left_out.begin(), pool.left_out.end(), [&](std::size_t row) {
              return spoiling_flag(table_.text(row, "flags")) == nullptr;
            });
        pool.rows.assign(pool.left_out.begin(), spoiled);
        pool.left_out.erase(pool.left_out.begin(), spoiled);
      }
    }
    return std::move(comparison_);
  }

private:
  [[nodiscard]] std::string slot_key(std::size_t row) const {
    return keys_.line_key(row) + '/' + keys_.column_key(row) + '/';
  }

  [[nodiscard]] std::string pool_key(std::size_t row, const std::string& slot) const {
    return slot + keys_.way_key(row) + keys_.state_key(row);
  }

  [[nodiscard]] std::vector<std::size_t> fitting_pools(std::size_t row,
                                                       const std::string& slot) const {
    std::vector<std::size_t> fitting;
    if (const auto there = slots_.find(slot); there != slots_.end()) {
      std::ranges::copy_if(there->second, std::back_inserter(fitting), [&](std::size_t pool) {
        return keys_.fits(row, comparison_.pools[pool].sample_row());
      });
    }
    return fitting;
  }

  /// Opens a pool. The n-th pool of one slot and state (with different weights, say) is on the n-th
  /// line of that name.
  void open_pool(std::size_t row, const std::string& slot) {
    const auto [column, new_column] =
        columns_.try_emplace(keys_.column_key(row), comparison_.columns.size());
    if (new_column) {
      comparison_.columns.push_back({.name = {}, .row = row, .pools = {}});
    }
    const std::string state = keys_.state_key(row);
    const std::size_t before = pools_of_state_[slot + state]++;
    const auto [line, new_line] = lines_.try_emplace(
        keys_.line_key(row) + '/' + state + '/' + std::to_string(before), comparison_.lines.size());
    if (new_line) {
      ComparedLine& opened = comparison_.lines.emplace_back();
      opened.row = row;
      opened.is_baseline = keys_.is_base(row);
      opened.state = state;
    }
    slots_[slot].push_back(comparison_.pools.size());
    Pool pool;
    pool.line = line->second;
    pool.column = column->second;
    comparison_.columns[pool.column].pools.push_back(comparison_.pools.size());
    comparison_.pools.push_back(std::move(pool));
  }

  const ResultTable& table_;
  KeyMaker keys_;
  Comparison comparison_;
  std::unordered_map<std::string, std::size_t> pools_;
  std::unordered_map<std::string, std::size_t> lines_;
  std::unordered_map<std::string, std::size_t> columns_;
  std::unordered_map<std::string, std::vector<std::size_t>> slots_; ///< pools by slot
  std::unordered_map<std::string, std::size_t> pools_of_state_;     ///< counts by slot and state
};

} // namespace

std::span<const FieldName> work_fields() {
  return kWorkNames;
}

std::span<const FieldName> way_fields() {
  return kWayFields;
}

std::string_view weights_kind(std::string_view weights) {
  if (weights.empty()) {
    return {};
  }
  return weights.starts_with("synthetic") ? "synthetic weights" : "real weights";
}

std::string_view outcome_of(const ResultTable& table, std::size_t row) {
  return holds_flag(table.text(row, "flags"), kContradicts) ? "contradicts itself"
                                                            : table.text(row, "status");
}

std::string outcome_words(const ResultTable& table, std::size_t row) {
  const std::string_view outcome = outcome_of(table, row);
  return std::string(outcome.starts_with("oom") ? "OOM" : outcome);
}

bool has_true_speed(const ResultTable& table, std::size_t row) {
  return outcome_of(table, row) == "ok" && spoiling_flag(table.text(row, "flags")) == nullptr;
}

Comparison group_rows(const ResultTable& table, std::span<const std::size_t> rows,
                      const CompareOptions& options, const std::vector<bool>& base_rows) {
  const auto has_figure = [&](std::size_t row) {
    return outcome_of(table, row) == "ok" && table.number(row, options.metric.field) > 0;
  };
  Grouper grouper(table, rows, options, base_rows);
  for (const std::size_t row : rows) {
    if (has_figure(row)) {
      grouper.add_figure(row);
    }
  }
  for (const std::size_t row : rows) {
    if (!has_figure(row)) {
      grouper.add_other(row);
    }
  }
  return grouper.take();
}

} // namespace sdbench

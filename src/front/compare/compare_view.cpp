#include "sdbench/front/compare/compare_view.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "details.h"
#include "missing_cells.h"
#include "notes.h"
#include "overview.h"
#include "pool_words.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/own_engines.h"
#include "sdbench/front/compare/answer.h"
#include "sdbench/front/compare/baseline.h"
#include "sdbench/front/compare/card_grid.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/compare/shown_value.h"
#include "sdbench/front/compare/verdict.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/results/result_table.h"
#include "table_words.h"

namespace sdbench {
namespace {

Tone tone_of(const Comparison& comparison, const Pool& pool) {
  if (!pool.figure) {
    return pool.failed.empty() ? Tone::kPlain : Tone::kBad;
  }
  if (!is_judged(comparison, pool) || comparison.baseline == kBestBaseline) {
    return Tone::kPlain; // to be slower than the best is not a failure
  }
  return pool.verdict == Verdict::kFaster   ? Tone::kGood
         : pool.verdict == Verdict::kSlower ? Tone::kBad
                                            : Tone::kPlain;
}

/// "PSNR, SSIM: ... against fp32; fp32, 50 steps"
std::vector<Legend> quality_legends(const Comparison& comparison, const ComparedColumn& column) {
  std::set<std::string> references;
  for (const std::size_t place : column.pools) {
    references.insert(comparison.pools[place].quality_references);
  }
  references.erase("");
  return mapped(references, [&](const std::string& reference) -> Legend {
    return {{kPsnr, kSsim}, "PSNR, SSIM: the worst image of sdbench quality, against " + reference};
  });
}

/// "a c–f": shortens three or more consecutive letters to the first and the last.
std::string marks_text(const std::set<std::size_t>& places) {
  std::vector<std::string> words;
  for (auto place = places.begin(); place != places.end();) {
    const std::size_t first = *place;
    std::size_t last = first;
    while (++place != places.end() && *place == last + 1) {
      ++last;
    }
    const bool is_range = last > first + 1;
    words.push_back(mark_text(first) + (is_range ? "–" + mark_text(last) : ""));
    if (last == first + 1) {
      words.push_back(mark_text(last));
    }
  }
  return joined(words, " ");
}

/// Letters for the notes of one table, in the order of their first use.
class Marks {
public:
  std::string of(const Pool& pool) {
    std::set<std::size_t> marks;
    for (const std::size_t note : pool.notes) {
      const auto [place, is_new] = places_.try_emplace(note, places_.size());
      if (is_new) {
        notes_.push_back(note);
      }
      marks.insert(place->second);
    }
    return marks_text(marks);
  }
  [[nodiscard]] std::vector<std::string> remarks(const Comparison& comparison) const {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < notes_.size(); ++i) {
      lines.push_back(mark_text(i) + "  " + comparison.notes[notes_[i]]);
    }
    return lines;
  }

private:
  std::map<std::size_t, std::size_t> places_;
  std::vector<std::size_t> notes_;
};

/// The name of the runtime whose version the column shows: the first in its rows that differs from
/// the default.
std::string_view shared_runtime_name(const Comparison& comparison, const ResultTable& table,
                                     const ComparedColumn& column) {
  for (const std::size_t place : column.pools) {
    for (const std::size_t row : comparison.pools[place].rows) {
      const std::string_view name = runtime_name(table.text(row, "engine"));
      if (name != runtime_name("")) {
        return name;
      }
    }
  }
  return runtime_name("");
}

/// "fp16, libtorch 2.11.0, synthetic weights": what all rows of the column share.
std::string common_words(const Comparison& comparison, const ResultTable& table,
                         const ComparedColumn& column) {
  struct Common {
    FieldName field;
    std::string_view before;
  };
  constexpr Common kFields[] = {
      {"dtype_unet", ""}, {"attention_used", "attention "}, {"runtime_version", ""},
      {"engine", ""},     {"engine_revision", "revision "}, {"weights", ""}};
  std::string words;
  for (const auto& [field, before] : kFields) {
    std::optional<std::string> common;
    bool all = true;
    for (const std::size_t place : column.pools) {
      for (const std::size_t row : comparison.pools[place].rows) {
        const std::string value = shown_value(table, row, field);
        all = all && (!common || *common == value);
        common = value;
      }
    }
    if (all && common && !common->empty()) {
      const std::string runtime =
          field == FieldName("runtime_version")
              ? std::string(shared_runtime_name(comparison, table, column)) + " "
              : "";
      words += (words.empty() ? "" : ", ") + runtime + std::string(before) + *common;
    }
  }
  return words;
}

/// A column of a detailed table with its texts, one per place.
struct FilledColumn {
  ViewColumn column;
  std::vector<std::string> texts;
};

/// Fills the columns of one table.
class Filler {
public:
  Filler(const Comparison& comparison, const ResultTable& table, const ComparedColumn& column)
      : comparison_(comparison), table_(table), column_(column) {}

  [[nodiscard]] FilledColumn filled(const Detail& detail) {
    FilledColumn filled{detail.column, {}};
    if (detail.column.head.empty()) {
      filled.column.head = comparison_.metric.head;
    }
    if (detail.column.head == kPaysAfter && comparison_.baseline == kBestBaseline) {
      filled.column.head = kBestPaysAfter;
    }
    for (const std::size_t place : column_.pools) {
      const Pool& pool = comparison_.pools[place];
      filled.texts.push_back(detail.text == nullptr ? marks_.of(pool)
                                                    : detail.text(comparison_, table_, pool));
    }
    return filled;
  }

  [[nodiscard]] FilledColumn filled(const CompareField& field) {
    if (const Detail* detail = field.field ? nullptr : find_detail(field.name)) {
      FilledColumn own = filled(*detail);
      own.column.drop = 0; // never dropped, because it was asked for
      return own;
    }
    FilledColumn filled{column_of(field), {}};
    for (const std::size_t place : column_.pools) {
      filled.texts.push_back(text_of(field, table_, comparison_.pools[place]));
    }
    return filled;
  }

  [[nodiscard]] const Marks& marks() const { return marks_; }

private:
  const Comparison& comparison_;
  const ResultTable& table_;
  const ComparedColumn& column_;
  Marks marks_;
};

/// The requested columns, else the usual ones that are not empty.
std::vector<FilledColumn> filled_columns(const Comparison& comparison, Filler& filler,
                                         const std::vector<CompareField>& fields) {
  std::vector<FilledColumn> columns =
      mapped(fields, [&](const CompareField& field) { return filler.filled(field); });
  for (const Detail& detail : details()) {
    if (!fields.empty() || !detail.is_usual(comparison)) {
      continue;
    }
    FilledColumn filled = filler.filled(detail);
    if (!detail.may_be_left_out || !std::ranges::all_of(filled.texts, &std::string::empty)) {
      columns.push_back(std::move(filled));
    }
  }
  return columns;
}

ViewTable detailed_table(const Comparison& comparison, const ResultTable& table,
                         const ComparedColumn& column, const std::vector<CompareField>& fields) {
  ViewTable view;
  view.title = column.name;
  view.answer = answer_words(comparison, column);
  view.name_columns = 2;
  view.columns = {{"#", true, 0}, {"machine", false, 0}};
  for (const std::size_t place : column.pools) {
    const Pool& pool = comparison.pools[place];
    view.rows.push_back({.cells = {std::to_string(pool.line + 1), comparison.lines[pool.line].name},
                         .tone = tone_of(comparison, pool)});
  }
  Filler filler(comparison, table, column);
  for (FilledColumn& filled : filled_columns(comparison, filler, fields)) {
    view.columns.push_back(std::move(filled.column));
    for (std::size_t i = 0; i < filled.texts.size(); ++i) {
      view.rows[i].cells.push_back(std::move(filled.texts[i]));
    }
  }
  if (const std::string common = common_words(comparison, table, column); !common.empty()) {
    view.remarks.push_back("all: " + common);
  }
  if (std::string remark = rank_remark(comparison, table, column); !remark.empty()) {
    view.remarks.push_back(std::move(remark));
  }
  view.legends = quality_legends(comparison, column);
  const std::vector<std::string> notes = filler.marks().remarks(comparison);
  view.remarks.insert(view.remarks.end(), notes.begin(), notes.end());
  return view;
}

/// "before.csv", or "3, Card on alpha" if the baseline is a row's number.
std::string baseline_words(const Comparison& comparison) {
  std::string words =
      comparison.baseline == kBestBaseline ? "the best of each table" : comparison.baseline;
  const auto named = std::ranges::find_if(comparison.lines, &ComparedLine::is_baseline);
  const bool is_number = parse_integer(comparison.baseline).has_value();
  return is_number && named != comparison.lines.end() ? words + ", " + named->name : words;
}

/// Explains how the intervals were made and what "pays after" means.
std::vector<Legend> general_legends(const Comparison& comparison) {
  std::vector<Legend> legends = {
      {{kPaysAfter, kBestPaysAfter},
       "pays after: number of images after which the faster engine's longer preparation "
       "(prepare_s) "
       "has paid off, by images/min, with its 95 % interval; not from rows that found the engine "
       "already prepared"}};
  if (std::string remark = interval_remark(comparison); !remark.empty()) {
    legends.insert(legends.begin(), {{kHalfWidth, kInterval}, std::move(remark)});
  }
  return legends;
}

/// Remarks on unclear verdicts and on rows that were left out.
std::vector<std::string> general_remarks(const Comparison& comparison) {
  bool unclear = false;
  for (const Pool& pool : comparison.pools) {
    unclear = unclear || (is_judged(comparison, pool) && pool.verdict == Verdict::kUnclear);
  }
  std::vector<std::string> remarks;
  if (unclear) {
    remarks.push_back("unclear: the intervals overlap, are missing, or the gap is below " +
                      percent_words(comparison.threshold) +
                      (comparison.pools_cards ? "; measure more cards of both models"
                                              : "; repeat both with --restarts 3 or more"));
  }
  if (comparison.lone_studies > 0) {
    remarks.push_back(counted(static_cast<std::int64_t>(comparison.lone_studies), "row") +
                      " of sdbench quality left out: no row here was timed in the same "
                      "configuration; --metric ssim_min compares them");
  }
  return remarks;
}

} // namespace

std::string mark_text(std::size_t place) {
  constexpr std::size_t kLetters = 26;
  std::string text(1, static_cast<char>('a' + static_cast<char>(place % kLetters)));
  return place < kLetters ? text : mark_text(place / kLetters - 1) + text;
}

View compare_view(const Comparison& comparison, const ResultTable& table, bool missing,
                  const std::vector<CompareField>& fields) {
  View view;
  view.command = "compare";
  const Metric& metric = comparison.metric;
  view.head = std::string(metric.name) + ": " + (metric.more_is_better ? "more" : "less") +
              " is better; relative to " + baseline_words(comparison) +
              (metric.is_speed() ? " as speed" : "") +
              (comparison.pools_cards ? "; intervals between cards of one model" : "");
  const CardGrid grid = card_grid(comparison, table);
  if (std::optional<ViewTable> all = overview(comparison, table, grid)) {
    view.tables.push_back(std::move(*all));
  }
  if (std::optional<ViewTable> cells =
          missing ? missing_table(comparison, table, grid) : std::nullopt) {
    view.tables.push_back(std::move(*cells));
  } else if (missing) {
    view.remarks.emplace_back("missing: no machine lacks a cell that another machine has");
  }
  for (const ComparedColumn& column : comparison.columns) {
    view.tables.push_back(detailed_table(comparison, table, column, fields));
  }
  view.legends = general_legends(comparison);
  std::ranges::move(general_remarks(comparison), std::back_inserter(view.remarks));
  return view;
}

} // namespace sdbench

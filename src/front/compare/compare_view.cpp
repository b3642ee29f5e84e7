#include "sdbench/front/compare/compare_view.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "missing_cells.h"
#include "overview.h"
#include "pool_words.h"
#include "rank_remark.h"
#include "sdbench/base/core/engine.h"
#include "sdbench/base/core/number_text.h"
#include "sdbench/base/core/units.h"
#include "sdbench/base/record/field_name.h"
#include "sdbench/front/compare/answer.h"
#include "sdbench/front/compare/baseline.h"
#include "sdbench/front/compare/break_even.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/compare/pooled_figure.h"
#include "sdbench/front/compare/shown_value.h"
#include "sdbench/front/compare/verdict.h"
#include "sdbench/front/results/result_table.h"
#include "sdbench/front/words/percent_words.h"
#include "table_words.h"

namespace sdbench {
namespace {

std::string percent(double fraction) {
  return significant_text(100 * fraction, 2) + " %";
}

std::string number(const std::optional<double>& value) {
  return value ? significant_text(*value) : "";
}

std::string verdict_text(const Comparison& comparison, const Pool& pool) {
  if (pool.is_baseline) {
    return comparison.baseline == kBestBaseline ? "best" : "baseline";
  }
  if (!is_judged(comparison, pool)) {
    return "";
  }
  const bool busy = pool.busy_rows > 0 || comparison.pools[*pool.base].busy_rows > 0;
  return std::string(word_of(pool.verdict, comparison.metric)) + (busy ? " (busy)" : "");
}

Tone tone_of(const Comparison& comparison, const Pool& pool) {
  if (!pool.figure) {
    return pool.failed.empty() ? Tone::kPlain : Tone::kBad;
  }
  if (!is_judged(comparison, pool) || comparison.baseline == kBestBaseline) {
    return Tone::kPlain; // that all others are slower than the best is no bad news
  }
  return pool.verdict == Verdict::kFaster   ? Tone::kGood
         : pool.verdict == Verdict::kSlower ? Tone::kBad
                                            : Tone::kPlain;
}

std::string half_width_text(const Pool& pool) {
  const auto half = pool.figure ? pool.figure->half_width() : std::nullopt;
  return half ? percent(*half / pool.figure->mean) : "";
}

std::string interval_text(const Comparison& comparison, const Pool& pool) {
  if (!is_judged(comparison, pool) || !pool.relative.interval) {
    return "";
  }
  return significant_text(pool.relative.interval->low) + " to " +
         significant_text(pool.relative.interval->high);
}

std::string spread_text(const Pool& pool, std::optional<double> PooledFigure::*sd) {
  return pool.figure && (*pool.figure).*sd ? percent(*((*pool.figure).*sd) / pool.figure->mean)
                                           : "";
}

// Heads of columns that a legend explains.
constexpr const char* kHalfWidth = "±95 %";
constexpr const char* kInterval = "its 95 % interval";
constexpr const char* kPaysAfter = "pays after";
constexpr const char* kBestPaysAfter = "best pays after";
constexpr const char* kPsnr = "PSNR dB";
constexpr const char* kSsim = "SSIM";

/// Identical pictures have no finite PSNR.
std::string psnr_text(const Pool& pool) {
  const bool is_identical = !pool.psnr_db_min && pool.ssim_min == 1.0;
  return is_identical ? "identical" : number(pool.psnr_db_min);
}

/// "PSNR, SSIM: ... against fp32; fp32, 50 steps"
std::vector<Legend> quality_legends(const Comparison& comparison, const ComparedColumn& column) {
  std::set<std::string> references;
  for (const std::size_t place : column.pools) {
    references.insert(comparison.pools[place].quality_references);
  }
  references.erase("");
  std::vector<Legend> legends;
  for (const std::string& reference : references) {
    legends.push_back(
        {{kPsnr, kSsim}, "PSNR, SSIM: the worst image of sdbench quality, against " + reference});
  }
  return legends;
}

/// Letters for the notes of one table, in the order in which they are met.
class Marks {
public:
  std::string of(const Pool& pool) {
    std::string text;
    for (const std::size_t note : pool.notes) {
      const auto [place, is_new] = places_.try_emplace(note, places_.size());
      if (is_new) {
        notes_.push_back(note);
      }
      text += (text.empty() ? "" : " ") + mark_text(place->second);
    }
    return text;
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

/// Whose version all rows of the column share: libtorch's, where it is one of our engine's.
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

/// A column of a detailed table before it is known whether anything stands in it.
struct Detail {
  ViewColumn column;
  std::string (*text)(const Comparison&, const ResultTable&, const Pool&);
  bool may_be_left_out = true; ///< where it is empty throughout
};

using C = Comparison;
using T = ResultTable;
using P = Pool;

bool is_metric(const C& c, std::string_view name) {
  return c.metric.name == name;
}

const std::vector<Detail>& details() {
  static const std::vector<Detail> all = {
      {{"generation", false, 4},
       [](const C& c, const T&, const P& p) { return c.lines[p.line].generation; }},
      {{"", true, 0}, value_text, false}, // the metric's own head
      {{kHalfWidth, true, 1}, [](const C&, const T&, const P& p) { return half_width_text(p); }},
      {{"relative", true, 0}, [](const C& c, const T&, const P& p) { return relative_text(c, p); }},
      {{kInterval, false, 6}, [](const C& c, const T&, const P& p) { return interval_text(c, p); }},
      {{"verdict", false, 0}, [](const C& c, const T&, const P& p) { return verdict_text(c, p); }},
      {{kPaysAfter, true, 5},
       [](const C&, const T&, const P& p) { return p.break_even ? text_of(*p.break_even) : ""; }},
      {{"rows", true, 7},
       [](const C&, const T&, const P& p) {
         return p.figure && p.figure->rows > 1 ? std::to_string(p.figure->rows) : "";
       }},
      {{"sd in a row", true, 9},
       [](const C&, const T&, const P& p) { return spread_text(p, &PooledFigure::within_sd); }},
      {{"sd of rows", true, 8},
       [](const C&, const T&, const P& p) { return spread_text(p, &PooledFigure::between_sd); }},
      {{"images/min", true, 3},
       [](const C& c, const T&, const P& p) {
         return is_metric(c, "images_per_min") ? "" : number(p.images_per_min);
       }},
      {{"s/image", true, 5},
       [](const C& c, const T&, const P& p) {
         return is_metric(c, "images_per_min") && p.images_per_min && p.unet_it_s
                    ? number(60 / *p.images_per_min)
                    : "";
       }},
      {{"UNet it/s", true, 4},
       [](const C& c, const T&, const P& p) {
         return is_metric(c, "unet_it_s") ? "" : number(p.unet_it_s);
       }},
      {{"peak memory", true, 2},
       [](const C&, const T&, const P& p) {
         return p.peak_bytes ? memory_text(*p.peak_bytes) : "";
       }},
      {{"J/image", true, 5},
       [](const C& c, const T&, const P& p) {
         return is_metric(c, "j_per_image") ? "" : number(p.j_per_image);
       }},
      {{kPsnr, true, 3}, [](const C&, const T&, const P& p) { return psnr_text(p); }},
      {{kSsim, true, 4}, [](const C&, const T&, const P& p) { return number(p.ssim_min); }},
  };
  return all;
}

ViewTable detailed_table(const Comparison& comparison, const ResultTable& table,
                         const ComparedColumn& column) {
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
  for (const Detail& detail : details()) {
    std::vector<std::string> texts;
    texts.reserve(column.pools.size());
    for (const std::size_t place : column.pools) {
      texts.push_back(detail.text(comparison, table, comparison.pools[place]));
    }
    const bool is_empty = std::ranges::all_of(texts, &std::string::empty);
    if (is_empty && detail.may_be_left_out) {
      continue;
    }
    view.columns.push_back(detail.column);
    if (!detail.may_be_left_out) {
      view.columns.back().head = comparison.metric.head;
    }
    if (detail.column.head == kPaysAfter && comparison.baseline == kBestBaseline) {
      view.columns.back().head = kBestPaysAfter;
    }
    for (std::size_t i = 0; i < texts.size(); ++i) {
      view.rows[i].cells.push_back(std::move(texts[i]));
    }
  }
  Marks marks;
  std::vector<std::string> texts;
  for (const std::size_t place : column.pools) {
    texts.push_back(marks.of(comparison.pools[place]));
  }
  if (!std::ranges::all_of(texts, &std::string::empty)) {
    view.columns.push_back({"notes", false, 0});
    for (std::size_t i = 0; i < texts.size(); ++i) {
      view.rows[i].cells.push_back(std::move(texts[i]));
    }
  }
  if (const std::string common = common_words(comparison, table, column); !common.empty()) {
    view.remarks.push_back("all: " + common);
  }
  if (std::string remark = rank_remark(comparison, table, column); !remark.empty()) {
    view.remarks.push_back(std::move(remark));
  }
  view.legends = quality_legends(comparison, column);
  const std::vector<std::string> notes = marks.remarks(comparison);
  view.remarks.insert(view.remarks.end(), notes.begin(), notes.end());
  return view;
}

/// "before.csv"; of a row's number "3, Card on alpha".
std::string baseline_words(const Comparison& comparison) {
  std::string words =
      comparison.baseline == kBestBaseline ? "the best of each table" : comparison.baseline;
  const auto named = std::ranges::find_if(comparison.lines, &ComparedLine::is_baseline);
  const bool is_number = parse_integer(comparison.baseline).has_value();
  return is_number && named != comparison.lines.end() ? words + ", " + named->name : words;
}

/// How the intervals were made, and when what was prepared has paid.
std::vector<Legend> general_legends(const Comparison& comparison) {
  std::vector<Legend> legends = {
      {{kPaysAfter, kBestPaysAfter},
       "pays after: images until what the faster engine prepared longer (prepare_s) is won back, "
       "by images/min, with its 95 % interval; rows that found it kept or loaded do not say"}};
  if (std::string remark = interval_remark(comparison); !remark.empty()) {
    legends.insert(legends.begin(), {{kHalfWidth, kInterval}, std::move(remark)});
  }
  return legends;
}

/// What an unclear verdict asks for, and what was left out.
std::vector<std::string> general_remarks(const Comparison& comparison) {
  bool unclear = false;
  for (const Pool& pool : comparison.pools) {
    unclear = unclear || (is_judged(comparison, pool) && pool.verdict == Verdict::kUnclear);
  }
  std::vector<std::string> remarks;
  if (unclear) {
    remarks.push_back("unclear: the intervals overlap, are missing, or the gap is below " +
                      percent_words(comparison.threshold) +
                      "; repeat both with --restarts 3 or more");
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

View compare_view(const Comparison& comparison, const ResultTable& table, bool missing) {
  View view;
  view.command = "compare";
  const Metric& metric = comparison.metric;
  view.head = std::string(metric.name) + ": " + (metric.more_is_better ? "more" : "less") +
              " is better; relative to " + baseline_words(comparison) +
              (metric.is_speed() ? " as speed" : "");
  if (std::optional<ViewTable> all = overview(comparison, table)) {
    view.tables.push_back(std::move(*all));
  }
  if (std::optional<ViewTable> cells = missing ? missing_table(comparison, table) : std::nullopt) {
    view.tables.push_back(std::move(*cells));
  } else if (missing) {
    view.remarks.emplace_back("missing: no machine lacks a cell of another");
  }
  for (const ComparedColumn& column : comparison.columns) {
    view.tables.push_back(detailed_table(comparison, table, column));
  }
  view.legends = general_legends(comparison);
  std::ranges::move(general_remarks(comparison), std::back_inserter(view.remarks));
  return view;
}

} // namespace sdbench

#include "details.h"

#include <algorithm>
#include <optional>

#include "pool_words.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/front/compare/baseline.h"
#include "sdbench/front/compare/break_even.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/compare/pooled_figure.h"
#include "sdbench/front/compare/verdict.h"
#include "sdbench/front/results/result_table.h"

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

/// The worst PSNR, or "identical": identical pictures have no finite PSNR.
std::string psnr_text(const Pool& pool) {
  const bool is_identical = !pool.psnr_db_min && pool.ssim_min == 1.0;
  return is_identical ? "identical" : number(pool.psnr_db_min);
}

std::string count_text(std::size_t count) {
  return count > 0 ? std::to_string(count) : "";
}

/// 0 stands for unknown.
std::string known_count_text(std::size_t count) {
  return count > 0 ? std::to_string(count) : "unknown";
}

using C = Comparison;
using T = ResultTable;
using P = Pool;

bool always(const C& /*comparison*/) {
  return true;
}
bool has_several(const C& comparison, std::size_t Pool::*count) {
  return std::ranges::any_of(comparison.pools, [&](const Pool& pool) { return pool.*count > 1; });
}
bool never(const C& /*comparison*/) {
  return false;
}
bool by_images_per_min(const C& c) {
  return c.metric.name == "images_per_min";
}

} // namespace

// clang-format off
const std::vector<Detail>& details() {
  static const std::vector<Detail> all = {
      {"generation", {"generation"}, {"generation", false, 5},
       [](const C& c, const T&, const P& p) { return c.lines[p.line].generation; }, always},
      {"value", {"value"}, {"", true, 0}, value_text, always, false},
      {"ci95", {"ci95_low", "ci95_high", "ci95_covers"}, {kHalfWidth, true, 2},
       [](const C&, const T&, const P& p) { return half_width_text(p); }, always},
      {"relative", {"relative"}, {"relative", true, 0},
       [](const C& c, const T&, const P& p) { return relative_text(c, p); }, always},
      {"relative_ci95", {"relative_ci95_low", "relative_ci95_high"}, {kInterval, false, 7},
       [](const C& c, const T&, const P& p) { return interval_text(c, p); }, always},
      {"verdict", {"verdict"}, {"verdict", false, 0},
       [](const C& c, const T&, const P& p) { return verdict_text(c, p); }, always},
      {"break_even", {"break_even", "break_even_row", "break_even_images", "break_even_ci95_low", "break_even_ci95_high"}, {kPaysAfter, true, 6},
       [](const C&, const T&, const P& p) { return p.break_even ? text_of(*p.break_even) : ""; }, always},
      {"rows", {"rows"}, {"rows", true, 8},
       [](const C&, const T&, const P& p) { return p.figure && p.figure->rows > 1 ? count_text(p.figure->rows) : ""; }, always},
      {"cards", {"cards"}, {"cards", true, 8},
       [](const C&, const T&, const P& p) { return known_count_text(p.cards); },
       [](const C& c) { return c.pools_cards || has_several(c, &Pool::cards); }},
      {"hosts", {"hosts"}, {"hosts", true, 9},
       [](const C&, const T&, const P& p) { return known_count_text(p.hosts); },
       [](const C& c) { return has_several(c, &Pool::hosts); }},
      {"sd_within", {"sd_within"}, {"sd in a row", true, 10},
       [](const C&, const T&, const P& p) { return spread_text(p, &PooledFigure::within_sd); }, always},
      {"sd_between", {"sd_between"}, {"sd of rows", true, 9},
       [](const C&, const T&, const P& p) { return spread_text(p, &PooledFigure::between_sd); }, always},
      {"images_per_min", {"images_per_min"}, {"images/min", true, 4},
       [](const C&, const T&, const P& p) { return number(p.images_per_min); },
       [](const C& c) { return !by_images_per_min(c); }},
      {"s_per_image", {"s_per_image"}, {"s/image", true, 1},
       [](const C&, const T&, const P& p) { return number(s_per_image(p)); }, by_images_per_min},
      {"unet_it_s", {"unet_it_s"}, {"UNet it/s", true, 1},
       [](const C&, const T&, const P& p) { return number(p.unet_it_s); },
       [](const C& c) { return c.metric.name != "unet_it_s"; }},
      {"peak_bytes", {"peak_bytes"}, {"peak memory", true, 3},
       [](const C&, const T&, const P& p) { return p.peak_bytes ? memory_text(*p.peak_bytes) : ""; }, always},
      {"j_per_image", {"j_per_image"}, {"J/image", true, 6},
       [](const C&, const T&, const P& p) { return number(p.j_per_image); },
       [](const C& c) { return c.metric.name != "j_per_image"; }},
      {"psnr_db_min", {"psnr_db_min"}, {kPsnr, true, 4},
       [](const C&, const T&, const P& p) { return psnr_text(p); }, always},
      {"ssim_min", {"ssim_min"}, {kSsim, true, 5},
       [](const C&, const T&, const P& p) { return number(p.ssim_min); }, always},
      {"notes", {"notes"}, {"notes", false, 0}, nullptr, always},
      {"status", {"status"}, {"status", false, 0},
       [](const C&, const T& t, const P& p) { return outcome_words(t, status_row(p)); }, never},
      {"baseline", {"baseline"}, {"baseline #", true, 0},
       [](const C& c, const T&, const P& p) { return p.base ? count_text(c.pools[*p.base].line + 1) : ""; }, never},
      {"sessions", {"sessions"}, {"sessions", true, 0},
       [](const C&, const T&, const P& p) { return p.figure ? count_text(p.figure->sessions) : ""; }, never},
      {"runs", {"runs"}, {"runs", true, 0},
       [](const C&, const T&, const P& p) { return p.figure ? std::to_string(p.figure->runs) : ""; }, never},
      {"failed", {"failed"}, {"failed", true, 0},
       [](const C&, const T&, const P& p) { return count_text(p.failed.size()); }, never},
      {"left_out", {"left_out"}, {"left out", true, 0},
       [](const C&, const T&, const P& p) { return count_text(p.left_out.size()); }, never},
  };
  return all;
}
// clang-format on

const Detail* find_detail(std::string_view name) {
  const auto found = std::ranges::find(details(), name, &Detail::name);
  return found == details().end() ? nullptr : &*found;
}

} // namespace sdbench

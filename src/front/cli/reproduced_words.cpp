#include "sdbench/front/cli/reproduced_words.h"

#include <cmath>

#include "sdbench/base/core/escape.h"
#include "sdbench/base/core/number_text.h"
#include "sdbench/base/core/units.h"
#include "sdbench/base/record/flags.h"
#include "sdbench/base/record/record_fields.h"
#include "sdbench/front/compare/figures.h"
#include "sdbench/front/compare/likely_causes.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/results/result_table.h"
#include "sdbench/front/words/percent_words.h"

namespace sdbench {
namespace {

/// "+12.3", "-4.1": percent
std::string change_text(double ratio) {
  constexpr double kPercent = 100;
  const double percent = kPercent * (ratio - 1);
  return (percent < 0 ? "-" : "+") + significant_text(std::abs(percent), 2);
}

std::string standing(Verdict verdict) {
  switch (verdict) {
  case Verdict::kFaster:
    return "faster";
  case Verdict::kSlower:
    return "slower";
  case Verdict::kSame:
    return "the same within " + percent_words(kSameWithin);
  case Verdict::kUnclear:
    break;
  }
  return "unclear";
}

/// Another model in place of the record's may need other arithmetic.
bool is_other_work(const RunRecord& here, const RunRecord& record) {
  constexpr double kSameWork = 0.01; // room for a later version that counts otherwise
  return here.unet_tflop && record.unet_tflop &&
         std::abs(*here.unet_tflop - *record.unet_tflop) > kSameWork * *record.unet_tflop;
}

/// ", beside other programs here": a verdict that stands on a busy machine says so.
std::string busy_words(const RunRecord& here, const RunRecord& record) {
  const bool here_is = has_flag(here, "busy");
  const bool there_is = has_flag(record, "busy");
  return !here_is && !there_is ? ""
                               : std::string(", beside other programs") + (here_is && there_is ? ""
                                                                           : here_is ? " here"
                                                                                     : " there");
}

/// Two records of one cell side by side, by the rule of `sdbench compare`.
std::string outcome_text(const RunRecord& here, const RunRecord& record) {
  ResultTable table;
  const std::size_t ours_row[] = {table.add(here, {})};
  const std::size_t record_row[] = {table.add(record, {})};
  const Metric metric = find_metric("images_per_min");
  const auto ours = pooled_by(metric, table, ours_row);
  const auto theirs = pooled_by(metric, table, record_row);
  if (!ours) {
    return "no rate here (" + here.status + ": " + here.error + ")" +
           (theirs ? ""
                   : ", and none in the record (" + one_line(record.status) + ": " +
                         one_line(record.error) + ")");
  }
  const std::string rate = significant_text(*here.images_per_min) + " images/min";
  if (!theirs) {
    return "the record has no rate (" + one_line(record.status) + "); here " + rate;
  }
  if (is_other_work(here, record)) {
    return "other work than the record's, so there is no ratio: " + rate + " here";
  }
  return reproduced_words(verdict_of(metric, *ours, *theirs, kSameWithin),
                          relative_to(metric, *ours, *theirs)) +
         busy_words(here, record) + ", " + rate + " against " +
         significant_text(*record.images_per_min);
}

std::string shown_value(const std::string& value) {
  return value.empty() ? "none" : one_line(value);
}

} // namespace

std::string reproduced_words(Verdict verdict, const Ratio& ratio) {
  return standing(verdict) + ": " + change_text(ratio.value) + " %" +
         (ratio.interval ? " (95 % interval " + change_text(ratio.interval->low) + " to " +
                               change_text(ratio.interval->high) + " %)"
                         : " (no interval: one of the two has a single run)");
}

std::string reproduction_text(const RunRecord& here, const RunRecord& record) {
  std::string differences;
  for (const LikelyCause& cause : likely_causes()) {
    if (cause.least_difference > 0) { // a sensor's, which never repeats
      continue;
    }
    const RecordField& field = field_named(cause.field);
    const std::string ours = field_text(here, field);
    const std::string theirs = field_text(record, field);
    if (ours != theirs) {
      differences += (differences.empty() ? "" : ", ") + std::string(cause.field.text()) +
                     " (here " + shown_value(ours) + ", there " + shown_value(theirs) + ")";
    }
  }
  return outcome_text(here, record) +
         (differences.empty() ? "; nothing that matters differs" : "; differs in " + differences);
}

} // namespace sdbench

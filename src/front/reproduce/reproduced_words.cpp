#include "sdbench/front/reproduce/reproduced_words.h"

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>

#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/front/compare/figures.h"
#include "sdbench/front/compare/likely_causes.h"
#include "sdbench/front/compare/machine_words.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/flags.h"
#include "sdbench/front/record/record_field.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {
namespace {

/// The change in percent: "+12", "-4.1".
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

/// TFLOP of one iteration. For a network, computed from the row's rates.
std::optional<double> tflop_of(const RunRecord& record) {
  if (record.unet_tflop || !record.achieved_tflops || record.images_per_s.value_or(0) <= 0) {
    return record.unet_tflop;
  }
  return *record.achieved_tflops / *record.images_per_s * static_cast<double>(record.batch);
}

/// True if the work differs: a different model may need a different number of operations, and an
/// epoch is not the same batch repeated.
bool is_other_work(const RunRecord& here, const RunRecord& record) {
  constexpr double kSameWork = 0.01; // later versions may count slightly differently
  const auto ours = tflop_of(here);
  const auto theirs = tflop_of(record);
  return here.epochs.has_value() != record.epochs.has_value() ||
         (ours && theirs && std::abs(*ours - *theirs) > kSameWork * *theirs);
}

/// ", beside other programs here" if one of the machines was busy, else empty.
std::string busy_words(const RunRecord& here, const RunRecord& record) {
  const bool here_is = has_flag(here, "busy");
  const bool there_is = has_flag(record, "busy");
  return !here_is && !there_is ? ""
                               : std::string(", beside other programs") + (here_is && there_is ? ""
                                                                           : here_is ? " here"
                                                                                     : " there");
}

/// Compares two records of one cell by the rule of `sdbench compare`.
std::string outcome_text(const RunRecord& here, const RunRecord& record) {
  ResultTable table;
  const std::size_t rows[] = {table.add(here, {}), table.add(record, {})};
  const Metric metric = find_metric(usual_metric(table, rows));
  const auto ours = pooled_by(metric, table, std::span(rows).first(1));
  const auto theirs = pooled_by(metric, table, std::span(rows).last(1));
  if (!ours) {
    return "no rate here (" + here.status + ": " + here.error + ")" +
           (theirs ? ""
                   : ", and none in the record (" + one_line(record.status) + ": " +
                         one_line(record.error) + ")");
  }
  const auto rate_of = [&](std::size_t row) { return table.number(row, metric.field).value_or(0); };
  const std::string rate = metric.text(rate_of(rows[0]));
  if (!theirs) {
    return "the record has no rate (" + one_line(record.status) + "); here " + rate;
  }
  if (is_other_work(here, record)) {
    return "other work than the record's, so there is no ratio: " + rate + " here";
  }
  if (has_flag(record, kContradicts)) {
    return "the record contradicts itself (sdbench compare says where), so there is no verdict: " +
           rate + " here";
  }
  const SpoilingFlag* const spoiled_here = spoiling_flag(here.flags);
  const SpoilingFlag* const spoiled =
      spoiled_here != nullptr ? spoiled_here : spoiling_flag(record.flags);
  if (spoiled != nullptr) {
    return std::string(spoiled->words) + (spoiled_here != nullptr ? " here" : " there") +
           ", so there is no verdict: " + rate + " against " + significant_text(rate_of(rows[1]));
  }
  return reproduced_words(verdict_of(metric, *ours, *theirs, kSameWithin),
                          relative_to(metric, *ours, *theirs)) +
         busy_words(here, record) + ", " + rate + " against " + significant_text(rate_of(rows[1]));
}

/// "; by their probes …"; empty if they tell nothing.
std::string probes_text(const RunRecord& here, const RunRecord& record) {
  const auto rates = [](const RunRecord& row) {
    return ProbedRates{row.device_name + " " + row.cpu_share, row.probe_format,
                       row.probe_product_tflops, row.probe_copy_gb_s};
  };
  const std::string words = machine_words(rates(here), rates(record), "this run", "the record");
  return words.empty() ? "" : "; " + words;
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
    if (cause.least_difference > 0) { // a sensor's figure, which never repeats
      continue;
    }
    const RecordField& field = field_named(cause.field);
    const std::string ours = compared_text(cause.field, field_text(here, field));
    const std::string theirs = compared_text(cause.field, field_text(record, field));
    if (ours != theirs) {
      differences += (differences.empty() ? "" : ", ") + std::string(cause.field.text()) +
                     " (here " + shown_value(ours) + ", there " + shown_value(theirs) + ")";
    }
  }
  return outcome_text(here, record) +
         (differences.empty() ? "; nothing that matters differs" : "; differs in " + differences) +
         probes_text(here, record);
}

} // namespace sdbench

#include "row_figures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/record_field.h"

namespace sdbench {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kTolerance = 1e-3;
constexpr double kNoise = 1e-12; ///< rounding errors of a spread that is really 0

/// A figure that can be computed from others.
struct Rule {
  FieldName figure;
  std::string_view by; ///< the other figures and a verb: "s_per_it gives"
  double (*value)(const RowNumbers& n);
};

constexpr double kSecondsPerMinute = 60;

constexpr Rule kRules[] = {
    {"unet_it_s", "s_per_it gives", [](const RowNumbers& n) { return 1 / n["s_per_it"]; }},
    {"unet_it_s", "step_count by repeat and unet_s gives",
     [](const RowNumbers& n) { return n["step_count"] / (n["repeat"] * n["unet_s"]); }},
    {"e2e_it_s", "step_count by repeat and e2e_s gives",
     [](const RowNumbers& n) { return n["step_count"] / (n["repeat"] * n["e2e_s"]); }},
    {"images_per_min", "images by e2e_s gives",
     [](const RowNumbers& n) { return n["images"] * kSecondsPerMinute / n["e2e_s"]; }},
    {"images_per_s", "images by e2e_s gives",
     [](const RowNumbers& n) { return n["images"] / n["e2e_s"]; }},
    {"megapixels_per_s", "images, width and height by e2e_s gives",
     [](const RowNumbers& n) {
       constexpr double kMega = 1e6;
       return n["images"] * n["width"] * n["height"] / kMega / n["e2e_s"];
     }},
    {"achieved_tflops", "unet_tflop and unet_it_s give",
     [](const RowNumbers& n) { return n["unet_tflop"] * n["unet_it_s"]; }},
    {"of_measured_peak_percent", "achieved_tflops by probe_product_tflops gives",
     [](const RowNumbers& n) {
       constexpr double kPercent = 100;
       return kPercent * n["achieved_tflops"] / n["probe_product_tflops"];
     }},
    {"scaling_efficiency", "images_per_min by alone_images_per_min gives",
     [](const RowNumbers& n) { return n["images_per_min"] / n["alone_images_per_min"]; }},
    {"j_per_image", "energy_j by repeat and images gives",
     [](const RowNumbers& n) { return n["energy_j"] / (n["repeat"] * n["images"]); }},
};

double or_nothing(double value) {
  return std::isnan(value) ? 0 : value;
}

/// A bound that other figures set for a figure.
struct Limit {
  Rule rule;
  bool is_least; ///< the figure is at least, else at most, the rule's value
};

constexpr std::string_view kRange = "the greatest less the least is";

constexpr Limit kLimits[] = {
    {{"text_s_sd", kRange, [](const RowNumbers& n) { return n["text_s_max"] - n["text_s_min"]; }},
     false},
    {{"unet_s_sd", kRange, [](const RowNumbers& n) { return n["unet_s_max"] - n["unet_s_min"]; }},
     false},
    {{"vae_s_sd", kRange, [](const RowNumbers& n) { return n["vae_s_max"] - n["vae_s_min"]; }},
     false},
    {{"e2e_s_sd", kRange, [](const RowNumbers& n) { return n["e2e_s_max"] - n["e2e_s_min"]; }},
     false},
    {{"peak_device_allocated_bytes", "peak_device_reserved_bytes is",
      [](const RowNumbers& n) { return n["peak_device_reserved_bytes"]; }},
     false},
    {{"temperature_c_mean", "temperature_c_max is",
      [](const RowNumbers& n) { return n["temperature_c_max"]; }},
     false},
    {{"step_s_sd", kRange, [](const RowNumbers& n) { return n["step_s_max"] - n["step_s_min"]; }},
     false},
};

/// Limits that hold for one device's work, but not for a sum over devices.
constexpr Limit kLimitsOfOneDevice[] = {
    {{"e2e_s", "text_s, unet_s and vae_s add up to",
      [](const RowNumbers& n) {
        return or_nothing(n["text_s"]) + or_nothing(n["unet_s"]) + or_nothing(n["vae_s"]);
      }},
     true},
    {{"first_image_s", "steps by first_image_it_s gives at least",
      [](const RowNumbers& n) { return n["steps"] / n["first_image_it_s"]; }},
     true},
};

/// A mean, median or percentile, which must lie between the least and the greatest value.
struct Spread {
  FieldName least;
  FieldName mean;
  FieldName greatest;
};

constexpr Spread kSpreads[] = {
    {"text_s_min", "text_s", "text_s_max"},
    {"unet_s_min", "unet_s", "unet_s_max"},
    {"vae_s_min", "vae_s", "vae_s_max"},
    {"e2e_s_min", "e2e_s", "e2e_s_max"},
    {"step_s_min", "step_s_mean", "step_s_max"},
    {"text_s_min", "text_s_median", "text_s_max"},
    {"unet_s_min", "unet_s_median", "unet_s_max"},
    {"vae_s_min", "vae_s_median", "vae_s_max"},
    {"e2e_s_min", "e2e_s_median", "e2e_s_max"},
    {"e2e_s_min", "e2e_s_median_excl_first", "e2e_s_max"},
    {"step_s_min", "step_s_p50", "step_s_max"},
    {"step_s_min", "step_s_p90", "step_s_max"},
    {"step_s_min", "step_s_p50", "step_s_p90"},
    {"gpu_load_percent_min", "gpu_load_percent_mean", "gpu_load_percent_max"},
    {"sm_clock_hz_min", "sm_clock_hz_mean", "sm_clock_hz_max"},
    {"memory_clock_hz_min", "memory_clock_hz_mean", "memory_clock_hz_max"},
    {"power_w_min", "power_w_mean", "power_w_max"},
    {"cpu_clock_hz_min", "cpu_clock_hz_mean", "cpu_clock_hz_max"},
};

/// Intervals of the row's own runs. An interval over several rows need not contain each row.
constexpr Spread kIntervalsOfRuns[] = {
    {"unet_it_s_ci95_low", "unet_it_s", "unet_it_s_ci95_high"},
    {"images_per_min_ci95_low", "images_per_min", "images_per_min_ci95_high"},
};

std::string of_rules(const RowNumbers& numbers) {
  for (const Rule& rule : kRules) {
    const double said = numbers.said(rule.figure.place());
    const double given = rule.value(numbers);
    if (differ(said, given)) {
      return contradiction_words(rule.figure.text(), said, rule.by, given);
    }
  }
  return "";
}

std::string of_spreads(const RowNumbers& numbers, std::span<const Spread> spreads) {
  for (const Spread& spread : spreads) {
    const double mean = numbers.said(spread.mean.place());
    const double least = numbers[spread.least];
    const double greatest = numbers[spread.greatest];
    if (mean < least && differ(mean, least)) {
      return contradiction_words(spread.mean.text(), mean, std::string(spread.least.text()) + " is",
                                 least);
    }
    if (mean > greatest && differ(mean, greatest)) {
      return contradiction_words(spread.mean.text(), mean,
                                 std::string(spread.greatest.text()) + " is", greatest);
    }
  }
  return "";
}

std::string of_limits(const RowNumbers& numbers, std::span<const Limit> limits) {
  for (const auto& [rule, is_least] : limits) {
    const double said = numbers[rule.figure];
    const double given = rule.value(numbers);
    if ((is_least ? said < given : said > given) && differ(said, given)) {
      return contradiction_words(rule.figure.text(), said, rule.by, given);
    }
  }
  return "";
}

} // namespace

RowNumbers::RowNumbers()
    : values_(record_fields().size(), kUnknown), said_zero_(record_fields().size(), false) {}

void RowNumbers::set(std::size_t field, std::optional<double> value) {
  const bool is_said = value > 0 || (value == 0.0 && record_fields()[field].name.ends_with("_sd"));
  values_[field] = is_said ? *value : kUnknown;
  said_zero_[field] = value == 0.0 && type_name(record_fields()[field]) == "number";
}

RowNumbers numbers_of(const RunRecord& record) {
  RowNumbers numbers;
  for (std::size_t field = 0; field < record_fields().size(); ++field) {
    if (const RecordField& known = record_fields()[field]; type_name(known) != "text") {
      numbers.set(field, parse_number(field_text(record, known)));
    }
  }
  return numbers;
}

bool differ(double said, double given) {
  return std::isfinite(said) && std::isfinite(given) &&
         std::abs(said - given) >
             std::max(kNoise, kTolerance * std::max(std::abs(said), std::abs(given)));
}

std::string contradiction_words(std::string_view figure, double said, std::string_view by,
                                double given) {
  constexpr int kDigits = 4; // enough to show a difference beyond the tolerance
  return std::string(figure) + " is " + number_text(said) + ", but " + std::string(by) + " " +
         significant_text(given, kDigits);
}

std::string contradiction_of_figures(const RowNumbers& numbers, const RunRecord& facts) {
  const bool is_of_one_device = facts.parallel_role.empty();
  const bool is_of_images = makes_images(task_row_of(facts.task).task);
  const auto none_unless = [](bool is_checked, auto checks) {
    return is_checked ? checks : decltype(checks)();
  };
  for (const std::string& found :
       {of_rules(numbers), of_spreads(numbers, kSpreads), of_limits(numbers, kLimits),
        of_spreads(numbers, none_unless(is_of_one_device && facts.ci95_covers == kWithinRun,
                                        std::span<const Spread>(kIntervalsOfRuns))),
        of_limits(numbers, none_unless(is_of_one_device && is_of_images,
                                       std::span<const Limit>(kLimitsOfOneDevice)))}) {
    if (!found.empty()) {
      return found;
    }
  }
  return "";
}

} // namespace sdbench

#include "sdbench/front/results/row_contradiction.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/core/escape.h"
#include "sdbench/base/core/in_quotes.h"
#include "sdbench/base/core/number_text.h"
#include "sdbench/base/core/task.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/record/field_name.h"
#include "sdbench/base/record/flags.h"
#include "sdbench/base/record/ids.h"
#include "sdbench/base/record/old_ids.h"
#include "sdbench/base/record/raw_times.h"
#include "sdbench/base/record/record_fields.h"
#include "sdbench/base/record/run_times.h"
#include "sdbench/front/results/made_up_names.h"
#include "sdbench/front/results/shared_fields.h"

namespace sdbench {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kTolerance = 1e-3;
constexpr double kNoise = 1e-12; ///< what the order of a sum makes of a spread of nothing

/// Numbers of a row by field; what it does not say is kUnknown, as is all that is computed of it.
class Numbers {
public:
  Numbers()
      : values_(record_fields().size(), kUnknown), said_zero_(record_fields().size(), false) {}
  /// Zero is what a column that a file does not have is read as; a spread alone may be nothing.
  void set(std::size_t field, std::optional<double> value) {
    const bool is_said =
        value > 0 || (value == 0.0 && record_fields()[field].name.ends_with("_sd"));
    values_[field] = is_said ? *value : kUnknown;
  }
  /// That a file says zero itself: what an id is made of is said then, too.
  void set_said_zero(std::size_t field) { said_zero_[field] = true; }
  [[nodiscard]] bool says(FieldName field) const {
    return values_[field.place()] > 0 || said_zero_[field.place()];
  }
  [[nodiscard]] double operator[](FieldName field) const { return values_[field.place()]; }
  [[nodiscard]] double operator[](std::size_t field) const { return values_[field]; }

private:
  std::vector<double> values_;
  std::vector<bool> said_zero_;
};

Numbers numbers_of(const RunRecord& record) {
  Numbers numbers;
  for (std::size_t field = 0; field < record_fields().size(); ++field) {
    if (const RecordField& known = record_fields()[field]; type_name(known) != "text") {
      numbers.set(field, parse_number(field_text(record, known)));
    }
  }
  return numbers;
}

/// A figure that others give.
struct Rule {
  FieldName figure;
  std::string_view by; ///< with its verb
  double (*value)(const Numbers& n);
};

constexpr double kSecondsPerMinute = 60;

constexpr Rule kRules[] = {
    {"unet_it_s", "s_per_it gives", [](const Numbers& n) { return 1 / n["s_per_it"]; }},
    {"unet_it_s", "step_count by repeat and unet_s gives",
     [](const Numbers& n) { return n["step_count"] / (n["repeat"] * n["unet_s"]); }},
    {"e2e_it_s", "step_count by repeat and e2e_s gives",
     [](const Numbers& n) { return n["step_count"] / (n["repeat"] * n["e2e_s"]); }},
    {"images_per_min", "images by e2e_s gives",
     [](const Numbers& n) { return n["images"] * kSecondsPerMinute / n["e2e_s"]; }},
    {"images_per_s", "images by e2e_s gives",
     [](const Numbers& n) { return n["images"] / n["e2e_s"]; }},
    {"megapixels_per_s", "images, width and height by e2e_s gives",
     [](const Numbers& n) {
       constexpr double kMega = 1e6;
       return n["images"] * n["width"] * n["height"] / kMega / n["e2e_s"];
     }},
    {"achieved_tflops", "unet_tflop and unet_it_s give",
     [](const Numbers& n) { return n["unet_tflop"] * n["unet_it_s"]; }},
    {"scaling_efficiency", "images_per_min by alone_images_per_min gives",
     [](const Numbers& n) { return n["images_per_min"] / n["alone_images_per_min"]; }},
    {"j_per_image", "energy_j by repeat and images gives",
     [](const Numbers& n) { return n["energy_j"] / (n["repeat"] * n["images"]); }},
};

double or_nothing(double value) {
  return std::isnan(value) ? 0 : value;
}

/// A figure that others limit.
struct Limit {
  Rule rule;
  bool is_least; ///< else the figure is at most what they give
};

constexpr std::string_view kRange = "the greatest less the least is";

constexpr Limit kLimits[] = {
    {{"text_s_sd", kRange, [](const Numbers& n) { return n["text_s_max"] - n["text_s_min"]; }},
     false},
    {{"unet_s_sd", kRange, [](const Numbers& n) { return n["unet_s_max"] - n["unet_s_min"]; }},
     false},
    {{"vae_s_sd", kRange, [](const Numbers& n) { return n["vae_s_max"] - n["vae_s_min"]; }}, false},
    {{"e2e_s_sd", kRange, [](const Numbers& n) { return n["e2e_s_max"] - n["e2e_s_min"]; }}, false},
    {{"step_s_sd", kRange, [](const Numbers& n) { return n["step_s_max"] - n["step_s_min"]; }},
     false},
};

/// Those of one device's work: a sum over devices has others.
constexpr Limit kLimitsOfOneDevice[] = {
    {{"e2e_s", "text_s, unet_s and vae_s add up to",
      [](const Numbers& n) {
        return or_nothing(n["text_s"]) + or_nothing(n["unet_s"]) + or_nothing(n["vae_s"]);
      }},
     true},
    {{"first_image_s", "steps by first_image_it_s gives at least",
      [](const Numbers& n) { return n["steps"] / n["first_image_it_s"]; }},
     true},
};

/// A mean, a median and a percentile lie between the least and the greatest.
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
};

/// Intervals of the row's own runs; one over rows need not hold each of them.
constexpr Spread kIntervalsOfRuns[] = {
    {"unet_it_s_ci95_low", "unet_it_s", "unet_it_s_ci95_high"},
    {"images_per_min_ci95_low", "images_per_min", "images_per_min_ci95_high"},
};
constexpr std::string_view kWithinRun = "within-run";

bool differ(double said, double given) {
  return std::isfinite(said) && std::isfinite(given) &&
         std::abs(said - given) >
             std::max(kNoise, kTolerance * std::max(std::abs(said), std::abs(given)));
}

std::string words(std::string_view figure, double said, std::string_view by, double given) {
  constexpr int kDigits = 4; // so many show what is beyond the tolerance
  return std::string(figure) + " is " + number_text(said) + ", but " + std::string(by) + " " +
         significant_text(given, kDigits);
}

std::string of_rules(const Numbers& numbers) {
  for (const Rule& rule : kRules) {
    const double said = numbers[rule.figure];
    const double given = rule.value(numbers);
    if (differ(said, given)) {
      return words(rule.figure.text(), said, rule.by, given);
    }
  }
  return "";
}

std::string of_spreads(const Numbers& numbers, std::span<const Spread> spreads) {
  for (const Spread& spread : spreads) {
    const double mean = numbers[spread.mean];
    const double least = numbers[spread.least];
    const double greatest = numbers[spread.greatest];
    if (mean < least && differ(mean, least)) {
      return words(spread.mean.text(), mean, std::string(spread.least.text()) + " is", least);
    }
    if (mean > greatest && differ(mean, greatest)) {
      return words(spread.mean.text(), mean, std::string(spread.greatest.text()) + " is", greatest);
    }
  }
  return "";
}

std::string of_limits(const Numbers& numbers, std::span<const Limit> limits) {
  for (const auto& [rule, is_least] : limits) {
    const double said = numbers[rule.figure];
    const double given = rule.value(numbers);
    if ((is_least ? said < given : said > given) && differ(said, given)) {
      return words(rule.figure.text(), said, rule.by, given);
    }
  }
  return "";
}

std::string of_columns(const Numbers& numbers, const RunRecord& facts) {
  std::string found = of_rules(numbers);
  if (found.empty()) {
    found = of_spreads(numbers, kSpreads);
  }
  if (found.empty()) {
    found = of_limits(numbers, kLimits);
  }
  if (found.empty() && facts.parallel_role.empty()) {
    found = facts.ci95_covers == kWithinRun ? of_spreads(numbers, kIntervalsOfRuns) : "";
  }
  if (found.empty() && facts.parallel_role.empty() && makes_images(task_row_of(facts.task).task)) {
    found = of_limits(numbers, kLimitsOfOneDevice);
  }
  return found;
}

/// All that a measurement's raw times give, by what made the row's own figures.
std::string of_raw_times(const Numbers& numbers, const RunRecord& raw, const RunRecord& facts) {
  if (!has_raw_times(raw)) {
    return "";
  }
  RunRecord made;
  made.task = facts.task;
  made.width = facts.width;
  made.height = facts.height;
  made.images = facts.images;
  made.epochs = facts.epochs;
  made.unet_tflop = facts.unet_tflop;
  CellResult times;
  times.first_image = raw.first_image.value_or(RunSample{});
  times.samples = raw.samples;
  times.partial_run = raw.partial_run;
  fill_times(made, times);
  static const Numbers of_none = numbers_of(RunRecord{}); // such as the version of its form
  const Numbers given = numbers_of(made);
  for (std::size_t field = 0; field < record_fields().size(); ++field) {
    if (std::isnan(of_none[field]) && differ(numbers[field], given[field])) {
      return words(record_fields()[field].name, numbers[field], "its raw times give", given[field]);
    }
  }
  return "";
}

/// What ids, and figures of raw times, are made of.
const std::vector<bool>& fields_of_facts() {
  static const std::vector<bool> fields = [] {
    std::vector<bool> all(record_fields().size(), false);
    for (const FieldName name : kWorkloadFields) {
      all[name.place()] = true;
    }
    for (const FieldName name : kEnvironmentFields) {
      all[name.place()] = true;
    }
    for (const FieldName name :
         {FieldName("run_id"), FieldName("workload_id"), FieldName("variant_id"),
          FieldName("env_id"), FieldName("cell_id"), FieldName("device"),
          FieldName("parallel_role"), FieldName("flags"), FieldName("unet_tflop"),
          FieldName("ci95_covers")}) {
      all[name.place()] = true;
    }
    return all;
  }();
  return fields;
}

/// "w0123456789abcdef"
bool is_id(std::string_view id, char letter) {
  constexpr std::size_t kLength = 17;
  return id.size() == kLength && id.front() == letter &&
         id.find_first_not_of("0123456789abcdef", 1) == std::string_view::npos;
}

/// An id as a row says it.
struct SaidId {
  std::string_view field;
  char letter; ///< that it begins with today
  const std::string& text;
  [[nodiscard]] bool is_one() const { return is_id(text, letter) || is_old_id(text); }
};

std::array<SaidId, 4> ids_of(const RunRecord& record) {
  return {SaidId{"workload_id", 'w', record.workload_id},
          SaidId{"variant_id", 'v', record.variant_id}, SaidId{"env_id", 'e', record.env_id},
          SaidId{"cell_id", 'c', record.cell_id}};
}

/// A row that has one of its ids has all of them.
std::string of_forms_of_ids(const RunRecord& record) {
  for (const SaidId& id : ids_of(record)) {
    if (!id.is_one()) {
      return std::string(id.field) + " is " + (id.text.empty() ? "empty" : in_quotes(id.text)) +
             ", which is no id";
    }
  }
  return "";
}

/// Whether the row still has all that its env_id was made of: a redaction takes some of it out.
bool says_place(const RunRecord& record) {
  const auto is_whole = [](const std::string& text) {
    return !text.empty() && text.find(kRedacted) == std::string::npos;
  };
  return !is_made_up_host(record.host) && is_whole(record.host) && is_whole(record.os) &&
         is_whole(record.kernel) && !record.device_kind.empty() && !record.cpu.empty() &&
         record.core_count && record.host_memory_bytes;
}

/// Of an id.
std::string check(std::string_view name, const std::string& said, const std::string& given) {
  return said == given
             ? ""
             : std::string(name) + " is " + one_line(said) + ", but its columns give " + given;
}

std::string of_env_id(const RunRecord& record) {
  return says_place(record) ? check("env_id", record.env_id, env_id_of(record)) : "";
}

std::string of_ids(const Numbers& numbers, const RunRecord& record) {
  const bool says_work =
      !record.model.empty() && numbers.says("width") && numbers.says("steps") &&
      numbers.says("batch") && numbers.says("images") &&
      (!makes_images(task_row_of(record.task).task) || !record.scheduler.empty());
  if (says_work && record.workload_id != workload_id_of(record)) {
    const std::string of_before = id_digits(workload_values(record)); // behind a letter since then
    if (record.workload_id != "w" + of_before) {
      return check("workload_id", record.workload_id, workload_id_of(record));
    }
  }
  if (std::string found = of_env_id(record); !found.empty()) {
    return found;
  }
  return check("cell_id", record.cell_id,
               cell_id_of(record.workload_id, record.variant_id, record.device));
}

/// Those from before ids had letters may be made of other columns; a renewed row has its run_id
/// alone of them.
bool has_old_ids(const RunRecord& record) {
  return is_old_id(record.run_id) || is_old_id(record.workload_id) ||
         is_old_id(record.variant_id) || is_old_id(record.env_id) || is_old_id(record.cell_id);
}

std::string contradiction(const Numbers& numbers, const RunRecord& raw, const RunRecord& facts) {
  const auto ids = ids_of(facts);
  const bool has_ids = std::ranges::any_of(ids, &SaidId::is_one);
  if (!has_ids && std::ranges::any_of(ids, [](const SaidId& id) { return !id.text.empty(); })) {
    return ""; // nothing is known of a row whose ids are all another program's
  }
  std::string found = of_columns(numbers, facts);
  // The raw times of a parallel execution's rows are not all of one device: no figure is checked by
  // them.
  if (found.empty() && facts.parallel_role.empty()) {
    found = of_raw_times(numbers, raw, facts);
  }
  if (found.empty() && has_ids) {
    found = of_forms_of_ids(facts);
  }
  if (found.empty() && has_ids && !has_old_ids(facts)) {
    found = of_ids(numbers, facts);
  }
  return found.empty() && has_flag(facts, kContradicts) ? "its flag says so" : found;
}

} // namespace

std::string contradiction_of(std::span<const FieldValue> row, const RawTimes& raw) {
  Numbers numbers;
  RunRecord facts;
  RunRecord with_raw;
  for (const auto& [field, value] : row) {
    const RecordField& known = record_fields()[field];
    if (type_name(known) != "text") {
      const std::optional<double> number = value.kind == CellValue::Kind::kText
                                               ? parse_number(value.text)
                                               : std::optional(value.number);
      numbers.set(field, number);
      if (number == 0.0) {
        numbers.set_said_zero(field);
      }
    }
    if (fields_of_facts()[field]) {
      set_field_text(facts, known, value.as_text());
    }
  }
  put_raw_times(with_raw, raw);
  return contradiction(numbers, with_raw, facts);
}

std::string contradiction_of(const RunRecord& record) {
  return contradiction(numbers_of(record), record, record);
}

bool is_figure(std::size_t field) {
  const RecordField& facts = record_fields()[field];
  return type_name(facts) != "text" && !facts.unit.empty() && facts.unit != "px";
}

} // namespace sdbench

#include "sdbench/front/reproduce/reproduction.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <system_error>
#include <utility>

#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/config/run_config.h"
#include "sdbench/base/config/sampler_table.h"
#include "sdbench/base/config/work_field_table.h"
#include "sdbench/base/dataset/locate_data.h"
#include "sdbench/base/dataset/synthetic_dataset.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/device/device_name.h"
#include "sdbench/base/device/host.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/ids.h"
#include "sdbench/front/record/work_record.h"
#include "sdbench/front/results/record_files.h"
#include "sdbench/front/results/strict_rows.h"

namespace sdbench {
namespace {

std::string listed_ids(const std::vector<RunRecord>& records) {
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, records.size()); ++i) {
    text += (i == 0 ? "" : ", ") + one_line(records[i].run_id);
  }
  return text + (records.size() > kShown ? " and so on" : "");
}

void refuse_what_is_no_measurement(const RunRecord& record) {
  if (!record.parallel_id.empty()) {
    throw UsageError("the record must be of one device, but is of several that ran together (" +
                     one_line(record.device) +
                     "); take the row of one device alone, or call run with --parallel");
  }
  if (!record.quality_reference.empty()) {
    throw UsageError("the record must be of a benchmark, but is of a quality study, which measures "
                     "no times; see sdbench quality");
  }
}

/// The record's GPU by its number, else the first GPU, else the CPU.
std::string device_here(const RunRecord& record, const std::vector<DeviceInfo>& devices,
                        std::vector<std::string>& remarks) {
  const std::string cpu(name_of(cpu_kind()));
  const std::optional<DeviceKind> kind = device_kind_named(record.device_kind);
  if (!is_gpu(kind)) {
    return cpu;
  }
  if (!is_of_torch(kind)) { // its engine alone sees it, and says whether it is here
    return record.device;
  }
  const auto gpus = std::ranges::count(devices, kind, &DeviceInfo::kind);
  if (gpus == 0) {
    const std::string reason = devices.empty() ? "" : one_line(devices.back().cuda_obstacle);
    remarks.push_back("the record is of a GPU (" + one_line(record.device_name) +
                      "), but there is none here: running on the CPU" +
                      (reason.empty() ? "" : " (" + reason + ")"));
    return cpu;
  }
  const auto name = parse_device_name(record.device);
  const bool is_here = name && name->number && static_cast<std::ptrdiff_t>(*name->number) < gpus;
  return is_here ? record.device : typed_name({.kind = kind});
}

/// Takes the record's share of the cores. A share ("1/2") needs the list of all shares.
void take_cpu_share(const RunRecord& record, RunConfig& config, std::vector<std::string>& remarks) {
  const std::size_t slash = record.cpu_share.find('/');
  if (config.device != name_of(cpu_kind()) || slash == std::string::npos) {
    return;
  }
  const auto count = parse_integer(std::string_view(record.cpu_share).substr(slash + 1));
  if (!count || *count < 2 || *count > usable_core_count()) {
    remarks.push_back("the record is of " + one_line(record.cpu_share) +
                      " of the cores, which this machine does not have: running on all");
    return;
  }
  for (std::int64_t i = 0; i < *count; ++i) {
    config.devices.push_back(typed_name({.kind = cpu_kind(), .number = i}));
  }
  config.device = record.device;
}

/// The number of threads to ask for, 0 for all cores. A record with fewer threads than cores was
/// asked for that number.
std::int64_t threads_here(const RunRecord& record, std::vector<std::string>& remarks) {
  if (!is_cpu(device_kind_named(record.device_kind)) || !record.cpu_share.empty() ||
      !record.threads || !record.core_count || record.threads == record.core_count) {
    return 0;
  }
  const std::int64_t cores = usable_core_count();
  if (*record.threads > cores) {
    remarks.push_back("the record has " + counted(*record.threads, "thread") +
                      ", which is more than the cores here (" + std::to_string(cores) +
                      "): running on all");
    return 0;
  }
  return *record.threads;
}

/// The record's work as options.
Json work_options(const RunRecord& record, const TaskRow& task) {
  Json values = Json::object();
  for (const WorkField& field : kWorkFields) {
    const RunOption* const option = find_run_option(option_name(field));
    const std::string said = said_text(record, field);
    if (!has_option(task.task, *option) || field.id_kind.value_or(task.kind) != task.kind) {
      continue;
    }
    if (option->kind == OptionKind::kFlag) {
      values[option->name] = said == field.flag_words[1];
    } else if (!said.empty()) {
      values[option->name] =
          option->kind == OptionKind::kText ? Json(said) : parse_option_value(*option, {said});
    }
  }
  return values;
}

void take_work(const RunRecord& record, RunOptions& options) {
  RunConfig& config = options.cell;
  const TaskRow& task = task_row_of(record.task);
  config.model = record.model;
  config.weights = record.weights.starts_with("synthetic") ? record.weights : "";
  config.seed = record.seed;
  if (makes_images(task.task)) {
    config.scheduler = kUsualSampler.name; // the default if the row names none
  } else if (record.epochs) {
    config.data_place = record.data_place;
  } else {
    config.iterations = record.batch > 0 ? record.images / record.batch : 0;
  }
  apply_options(options, work_options(record, task));
}

/// Takes the record's data. If nothing here says where they are, as many made-up images take the
/// same time.
void take_data(const RunRecord& record, RunConfig& config, std::vector<std::string>& remarks) {
  if (record.data.starts_with("synthetic")) {
    config.data = record.data;
  } else if (locate_data({}).fallback) {
    config.data = "synthetic:" + std::to_string(std::max(record.images, kLeastSyntheticImages));
    remarks.push_back("the record is of " + one_line(record.data) +
                      ", and neither --data nor SDBENCH_DATA says where it is: training with " +
                      config.data);
  }
}

void take_way(const RunRecord& record, RunConfig& config, std::vector<std::string>& remarks) {
  if (!record.dtype_unet.empty()) {
    config.dtype = record.dtype_unet;
  }
  for (const EngineAxis& axis : engine_axes()) {
    const std::string said = field_text(record, field_named(FieldName::of(axis.name)));
    if (std::ranges::find(axis.choices, said) != axis.choices.end()) {
      config.*axis.asked = said;
    } else if (!said.empty()) { // empty in records from before the option existed
      remarks.push_back("the record's " + std::string(axis.name) + " " + in_quotes(said) +
                        " is unknown to this program: taking " + config.*axis.asked + " here");
    }
  }
  if (config.attention != "auto" && is_cpu(device_kind_named(config.device)) &&
      is_gpu(device_kind_named(record.device_kind))) {
    remarks.push_back("the record's attention " + config.attention +
                      " exists only on a GPU: taking auto here");
    config.attention = "auto";
  }
}

/// Asks for as many timed runs as the record has, and for its warm-ups if they were asked for.
void take_measurement(const RunRecord& record, RunConfig& config) {
  if (record.repeat > 0) {
    config.repeat = record.repeat;
  }
  if (record.warmup_reason == "asked") {
    config.warmup = record.warmup;
  }
}

/// Throws UsageError for a given option that the record's work does not have.
void refuse_absent(const Json& given, const RunConfig& config) {
  const Task task = task_named(config.task).value_or(Task::kGenerate);
  for (const auto& [name, value] : given.items()) {
    const RunOption* const option = find_run_option(name);
    const std::string obstacle =
        option == nullptr ? ""
                          : option_obstacle(*option, task, config.model, config.epochs.has_value());
    if (!obstacle.empty()) {
      throw UsageError(obstacle);
    }
  }
}

bool begins_any(const std::vector<RunRecord>& records, std::string_view run_id) {
  return std::ranges::any_of(records,
                             [&](const RunRecord& row) { return row.run_id.starts_with(run_id); });
}

} // namespace

RunRecord row_named(std::vector<RunRecord>& records, const std::string& run_id,
                    const std::string& option, const std::string& place) {
  const auto exact = std::ranges::find(records, run_id, &RunRecord::run_id);
  if (exact != records.end()) {
    return std::move(*exact);
  }
  if (run_id.size() < kShortestRunId) {
    throw UsageError(option + " must be the run_id of a row, or at least its first " +
                     std::to_string(kShortestRunId) + " characters, but is " + in_quotes(run_id));
  }
  const std::size_t count = records.size();
  std::erase_if(records, [&](const RunRecord& row) { return !row.run_id.starts_with(run_id); });
  if (records.empty()) {
    throw UsageError(option + " must name a row of " + place + ", but none of its " +
                     std::to_string(count) + " is " + in_quotes(run_id));
  }
  if (records.size() > 1) {
    throw UsageError(option + " must name one row of " + place + ", but " + in_quotes(run_id) +
                     " begins " + std::to_string(records.size()) + ": " + listed_ids(records));
  }
  return std::move(records.front());
}

NamedRecord record_to_reproduce(const std::filesystem::path& file,
                                const std::optional<std::string>& run_id) {
  std::error_code ignored;
  if (!keeps_records(file) || !std::filesystem::is_regular_file(file, ignored)) {
    throw UsageError(
        "reproduce must be given a file of records (.csv, .json, .jsonl, .db or .sqlite), but " +
        in_quotes(file.string()) + (keeps_records(file) ? " is not there" : " is not one"));
  }
  std::vector<BadRow> bad;
  std::vector<RunRecord> records = readable_records({file}, bad);
  if (!bad.empty() && (!run_id || !begins_any(records, *run_id))) {
    throw Error(bad.front().text());
  }
  if (run_id) {
    return {.record = row_named(records, *run_id, "--run-id", file.string()),
            .bad = std::move(bad)};
  }
  if (records.size() != 1) {
    throw UsageError(file.string() + " must hold one record, but holds " +
                     std::to_string(records.size()) +
                     (records.empty() ? "" : "; name one with --run-id: " + listed_ids(records)));
  }
  return {.record = std::move(records.front()), .bad = {}};
}

Reproduction reproduction_of(const RunRecord& record, const std::vector<DeviceInfo>& devices,
                             const Json& given) {
  refuse_what_is_no_measurement(record);
  Reproduction plan;
  RunConfig& config = plan.options.cell;
  plan.options.model_given = true;
  plan.options.note = "reproduces " + record.run_id;
  take_work(record, plan.options);
  if (config.epochs && !given.contains("data")) {
    take_data(record, config, plan.remarks);
  }
  if (given.contains("device")) {
    config.device = given["device"];
  } else {
    config.device = device_here(record, devices, plan.remarks);
    take_cpu_share(record, config, plan.remarks);
    config.threads = threads_here(record, plan.remarks);
  }
  take_way(record, config, plan.remarks);
  take_measurement(record, config);
  if (given.contains("weights") && !given.contains("model")) {
    plan.options.model_given = false; // a checkpoint brings its own architecture
  }
  refuse_absent(given, config);
  apply_options(plan.options, given);
  return plan;
}

} // namespace sdbench

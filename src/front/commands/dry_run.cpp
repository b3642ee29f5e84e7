#include "dry_run.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <nlohmann/json_fwd.hpp>

#include "sdbench/base/config/decoding_size.h"
#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/device/device_name.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/plan/memory_estimate.h"
#include "sdbench/base/plan/parallel_cells.h"
#include "sdbench/base/plan/time_estimate.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/text/utf8.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/own_engines.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/base/types/status.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/bench/find_worker.h"
#include "sdbench/front/inventory/choose_worker.h"
#include "sdbench/front/other_engines/engine_environment.h"
#include "sdbench/front/progress/run_titles.h"
#include "sdbench/front/record/parallel_sum.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/words/engine_words.h"
#include "sdbench/front/words/text_form.h"
#include "varying_axes.h"

namespace sdbench {
namespace {

using OrderedJson = nlohmann::ordered_json;

std::int64_t needed_bytes(const Cell& cell, Precision precision) {
  const std::size_t element = size_of(precision.weight_dtype());
  // Only a worker knows what "auto" resolves to.
  const bool on_gpu = is_gpu_of_torch(kind_asked(cell.device));
  if (cell.model.network) {
    return network_bytes(cell, precision) + network_working_bytes(cell, precision) +
           (on_gpu ? kCudaLibraryBytes : 0);
  }
  return weight_bytes(cell.model, precision, cell.offload == "stages") +
         std::max(decoding_bytes(cell.model.vae, element, cell.width, cell.height, cell.batch,
                                 cell.vae_tiling == "on",
                                 on_gpu ? std::optional(kMostDecodedOnGpu) : std::nullopt),
                  denoising_bytes(cell, element)) +
         (on_gpu ? kCudaLibraryBytes : 0);
}

/// True if the cell may run long. Known only for our own engines on a processor.
bool may_be_long_here(const Cell& cell) {
  return is_own_engine(cell.engine) && cell.parallel_devices.empty() &&
         !is_gpu_of_torch(kind_asked(cell.device)) && may_take_long(cell);
}

/// Models that share one memory. Shares of the processor that run together load a model each.
std::int64_t cells_in_one_memory(const Cell& cell) {
  const auto shares = std::ranges::count_if(
      cell.parallel_devices, [](const std::string& device) { return is_cpu(kind_asked(device)); });
  return is_whole(cell) ? std::max<std::int64_t>(shares, 1) : 1;
}

/// Fills in the bytes that a cell needs in each memory.
void fill_memory(PlannedStep& planned, const Cell& cell) {
  const std::int64_t copies = cells_in_one_memory(cell);
  const Cell one = is_whole(cell) ? device_cells(cell).front() : cell;
  if (cell.model.network) {
    planned.memory_bytes = copies * needed_bytes(one, cell.dtype.value_or(kNetworkDtype));
    return;
  }
  planned.memory_bytes = copies * needed_bytes(one, cell.dtype.value_or(Dtype::kF16));
  planned.memory_fp32_bytes = cell.dtype ? 0 : copies * needed_bytes(one, Dtype::kF32);
}

/// "cpu:0+cpu:1 (each)"
std::string devices_text(const Cell& cell) {
  return cell.device + (cell.share.empty() ? "" : " (" + cell.share + ")");
}

std::string earlier_text(const SweepCell& swept, EarlierRows* earlier,
                         const std::vector<DeviceInfo>& devices, RecordContext context) {
  if (earlier == nullptr) {
    return {};
  }
  const Cell& cell = swept.planned.cell;
  context.tags = swept.tags;
  const auto status = earlier->take(execution_key(cell, context),
                                    env_id_of(device_of(cell, devices), context), context.host);
  return status ? std::string(name_of(*status)) + " in the outputs" : "";
}

std::string memory_text(const PlannedStep& planned) {
  if (planned.memory_bytes == 0) {
    return "unknown";
  }
  return bytes_text(planned.memory_bytes) +
         (planned.memory_fp32_bytes == 0
              ? ""
              : " (fp32: " + bytes_text(planned.memory_fp32_bytes) + ")");
}

std::string time_column(const PlannedStep& planned) {
  return !planned.left_out.empty() ? unescape_text(planned.left_out) // its names were escaped
         : !planned.expected_s     ? "unknown"
         : planned.by_rows         ? time_text(*planned.expected_s)
                                   : "about " + rough_time(*planned.expected_s);
}

std::string batch_text(const SweepCell& swept) {
  return swept.search_batch ? "auto" : std::to_string(swept.planned.cell.batch);
}

/// "file.safetensors (v-prediction)"
std::string model_text(const Cell& cell) {
  const std::string training = training_text(cell);
  return cell.model.name + (training.empty() ? "" : " (" + training + ")");
}

/// The count; empty if neither options nor model give it. The last column then says why nothing
/// runs.
std::string known_count_text(std::int64_t count) {
  return count > 0 ? std::to_string(count) : "";
}

OrderedJson known_count(std::int64_t count) {
  return count > 0 ? OrderedJson(count) : OrderedJson();
}

std::string dtype_text(const Cell& cell) {
  return cell.dtype ? std::string(name_of(*cell.dtype)) : "auto";
}

using Lines = std::vector<std::vector<std::string>>;

/// The plan's table, whose first line names the columns.
Lines lines_of(const Plan& plan) {
  Lines lines = {{"RUN", "MODEL", "SIZE (px)", "STEPS", "BATCH", "IMAGES", "DEVICE", "THREADS",
                  "DTYPE", "ATTENTION", "ENGINE", "ROUND", "RESTART"}};
  std::ranges::transform(plan.axes, std::back_inserter(lines.front()), in_capitals);
  lines.front().insert(lines.front().end(), {"MEMORY", "TIME"});
  for (const PlannedStep& planned : plan.steps) {
    const Cell& cell = planned.cell->planned.cell;
    std::vector<std::string> line = {std::to_string(lines.size()),
                                     model_text(cell),
                                     size_text(cell.width, cell.height),
                                     makes_images(cell.task) ? known_count_text(cell.steps) : "",
                                     batch_text(*planned.cell),
                                     planned.cell->search_batch ? "batch"
                                                                : std::to_string(cell.images),
                                     devices_text(cell),
                                     threads_text(cell),
                                     dtype_text(cell),
                                     makes_images(cell.task) ? cell.attention : "",
                                     planned.engine,
                                     std::to_string(planned.step.round),
                                     std::to_string(planned.step.restart)};
    line.insert(line.end(), planned.varying.begin(), planned.varying.end());
    line.insert(line.end(), {memory_text(planned), time_column(planned)});
    lines.push_back(std::move(line));
  }
  return lines;
}

/// Removes columns in which all runs are equal, except the run's number, memory and time, and
/// returns their contents: "STEPS 50, BATCH 1".
std::string take_common(Lines& lines) {
  constexpr std::size_t kFigures = 2;
  std::string common;
  for (std::size_t column = lines.front().size() - kFigures; column-- > 1;) {
    const std::string value = lines[1][column];
    const bool is_common = std::all_of(lines.begin() + 1, lines.end(),
                                       [&](const auto& line) { return line[column] == value; });
    if (is_common) {
      const std::string named = value.empty() ? "" : lines.front()[column] + " " + value;
      common = named + (named.empty() || common.empty() ? "" : ", ") + common;
      for (auto& line : lines) {
        line.erase(line.begin() + static_cast<std::ptrdiff_t>(column));
      }
    }
  }
  return common;
}

/// If the table is too wide, values that all runs share go above it.
std::string table_of(const Plan& plan, const Screen& screen) {
  Lines lines = lines_of(plan);
  const Screen endless = {.width = 0, .colour = false, .ascii = screen.ascii};
  std::string text = aligned_text(lines, screen);
  if (plan.steps.size() < 2 || text == aligned_text(lines, endless)) {
    return text;
  }
  const std::string common = take_common(lines);
  return (common.empty() ? "" : "in all runs: " + line_on(screen, common) + "\n") +
         aligned_text(lines, screen);
}

std::size_t known_steps(const Plan& plan) {
  return plan.steps.size() - plan.left_out - plan.unknown;
}

/// True with --batch auto: the batches to try are not known yet.
bool searches_batch(const Plan& plan) {
  return std::ranges::any_of(plan.steps,
                             [](const PlannedStep& planned) { return planned.cell->search_batch; });
}

/// Empty if the engines keep nothing in the cache.
std::string disk_text(const Plan& plan) {
  if (plan.disk.bytes == 0) {
    return "";
  }
  const std::string models =
      plan.disk.prepared == 0
          ? ""
          : counted(static_cast<std::int64_t>(plan.disk.prepared), "model") + " to prepare, and ";
  return "other engines: at most " + models + bytes_text(plan.disk.bytes) +
         " of disk for what is kept" +
         (searches_batch(plan) ? ", and as much for each further batch that is tried" : "") + "\n";
}

/// "pytorch and pytorch-compile (1 GB), openvino (1.5 GB)". Groups engines that share their
/// packages.
std::string missing_text(const std::vector<const EngineRow*>& missing) {
  std::vector<std::pair<const EngineRow*, std::vector<std::string>>> environments;
  for (const EngineRow* const row : missing) {
    auto found = std::ranges::find(environments, row->environment,
                                   [](const auto& one) { return one.first->environment; });
    if (found == environments.end()) {
      found = environments.insert(environments.end(), {row, {}});
    }
    found->second.emplace_back(row->name);
  }
  const WorkerProgram libtorch = chosen_worker();
  return joined(mapped(environments, [&](const auto& environment) {
    return listed(environment.second, "and") + " (" +
           number_text(disk_gb(*environment.first, libtorch)) + " GB)";
  }));
}

/// What engines lack and what the run would do about it; empty if nothing is missing.
std::string setup_text(const Plan& plan) {
  if (plan.missing.empty()) {
    return "";
  }
  return plan.sets_up ? "set up first, by --yes: " + missing_text(plan.missing) + "\n"
                      : "not set up: " + missing_text(plan.missing) + "; run " +
                            setup_command_of(plan.missing) + ", or give --yes\n";
}

/// Number of steps whose time is only estimated by arithmetic.
std::int64_t estimated_steps(const Plan& plan) {
  return std::ranges::count_if(plan.steps, [](const PlannedStep& planned) {
    return planned.expected_s && !planned.by_rows;
  });
}

/// The basis of the expected time. For one cell, the same text as in the head of its run.
std::string basis_text(const Plan& plan) {
  const std::int64_t estimated = estimated_steps(plan);
  if (estimated == 0) {
    return " (by rows of the same cells in the outputs)";
  }
  if (plan.steps.size() == 1) {
    return " " + expected_time_basis(plan.steps[0].cell->planned.cell, plan.seconds, false);
  }
  return " (by rows of the same cells in the outputs, of " + counted(estimated, "run") +
         " by its arithmetic and the measured speed of a matrix product on this processor)";
}

/// The remark that all epochs over synthetic images share; empty without such epochs.
std::string data_remark(const Plan& plan) {
  for (const PlannedStep& planned : plan.steps) {
    const std::string text = made_up_data_text(planned.cell->planned.cell);
    if (planned.left_out.empty() && !text.empty()) {
      return text + "\n";
    }
  }
  return "";
}

std::string total_text(const Plan& plan) {
  std::string text =
      counted(static_cast<std::int64_t>(plan.steps.size()), "run") + " planned, nothing is run";
  if (plan.left_out > 0) {
    text += "; " + std::to_string(plan.left_out) + " would be left out";
  }
  const std::size_t known = known_steps(plan);
  text += "\nexpected time: ";
  text += known > 0 && estimated_steps(plan) > 0 ? "about " + rough_time(plan.seconds)
          : known > 0                            ? time_text(plan.seconds)
          : plan.unknown > 0                     ? "unknown"
                                                 : "0 s";
  if (known > 0 && plan.unknown > 0) {
    text += " and " + std::to_string(plan.unknown) + " of unknown time";
  }
  return text + basis_text(plan) +
         "\n"
         "memory: weights and activations, estimated; with --device cuda also what CUDA's "
         "libraries "
         "take\n" +
         disk_text(plan) + setup_text(plan) + data_remark(plan);
}

OrderedJson workload_json(const PlannedStep& planned, std::size_t number) {
  const Cell& cell = planned.cell->planned.cell;
  const bool searches = planned.cell->search_batch;
  return {
      {"run", number},
      {"model", escape_text(cell.model.name)},
      {"training", training_text(cell)},
      {"task", name_of(cell.task)},
      {"width", known_count(cell.width)},
      {"height", known_count(cell.height)},
      {"steps", known_count(cell.steps)},
      {"batch", searches ? OrderedJson("auto") : OrderedJson(cell.batch)},
      {"images", searches ? OrderedJson() : OrderedJson(cell.images)},
      {"device", escape_text(devices_text(cell))},
      {"threads", threads_text(cell)},
      {"dtype", dtype_text(cell)},
      {"engine", planned.engine},
      {"guidance", knows_guidance(cell) ? OrderedJson(cell.guidance) : OrderedJson()},
      {"seed", cell.seed},
      {"repeat", cell.repeat},
      {"label", escape_text(planned.cell->label)},
      {"tags", planned.cell->tags},
      {"round", planned.step.round},
      {"restart", planned.step.restart},
  };
}

void add_axes(OrderedJson& step, const Plan& plan, const PlannedStep& planned) {
  const Cell& cell = planned.cell->planned.cell;
  for (const EngineAxis& axis : engine_axes()) {
    step[axis.name == "engine" ? "engine_asked" : std::string(axis.name)] = cell.*axis.asked;
  }
  for (std::size_t axis = 0; axis < plan.axes.size(); ++axis) {
    std::string name = plan.axes[axis];
    std::ranges::replace(name, ' ', '_');
    if (!step.contains(name)) {
      step[name] = escape_text(planned.varying[axis]);
    }
  }
}

/// The step as JSON; `number` counts runs from 1.
OrderedJson step_json(const Plan& plan, const PlannedStep& planned, std::size_t number) {
  OrderedJson step = workload_json(planned, number);
  add_axes(step, plan, planned);
  step["memory_bytes"] = known_count(planned.memory_bytes);
  step["memory_fp32_bytes"] = known_count(planned.memory_fp32_bytes);
  step["left_out"] = escape_text(planned.left_out);
  step["expected_by"] = !planned.expected_s ? "" : planned.by_rows ? "rows" : "arithmetic";
  step["expected_s"] = planned.expected_s ? OrderedJson(*planned.expected_s) : OrderedJson();
  return step;
}

OrderedJson missing_json(const Plan& plan) {
  const WorkerProgram libtorch = plan.missing.empty() ? WorkerProgram() : chosen_worker();
  return mapped(plan.missing, [&](const EngineRow* row) -> OrderedJson {
    return {{"engine", row->name},
            {"disk_gb", disk_gb(*row, libtorch)},
            {"command", setup_command_of(*row)}};
  });
}

/// Why the step would not run, or nothing.
std::string left_out_text(const Plan& plan, const SweepCell& swept, EarlierRows* earlier,
                          const std::vector<DeviceInfo>& devices, const RecordContext& context) {
  // It is not known which batches a search will try, nor which of them are done.
  const std::string done = swept.search_batch ? "" : earlier_text(swept, earlier, devices, context);
  if (!done.empty()) {
    return done;
  }
  if (!swept.planned.obstacle.empty()) {
    return "skipped: " + swept.planned.obstacle;
  }
  const EngineRow* const row = find_engine_row(swept.planned.cell.engine);
  const bool lacks_engine =
      !plan.sets_up && std::ranges::find(plan.missing, row) != plan.missing.end();
  return lacks_engine ? "skipped: engine not set up" : "";
}

/// Takes the expected time from rows of the same cell, or else from arithmetic if the cell may take
/// long.
void fill_expected_time(PlannedStep& planned, std::span<const RunRecord> rows,
                        const RecordContext& context, const Estimate& estimate) {
  const Cell& cell = planned.cell->planned.cell;
  planned.expected_s = expected_seconds(cell, rows, context);
  planned.by_rows = planned.expected_s.has_value();
  if (!planned.by_rows && is_known(cell.model) && !planned.cell->search_batch &&
      may_be_long_here(cell)) {
    planned.expected_s = estimate(cell);
  }
}

} // namespace

std::string memory_words(const Cell& cell) {
  PlannedStep planned;
  if (is_known(cell.model)) {
    fill_memory(planned, cell);
  }
  return memory_text(planned);
}

Plan plan_of(const std::vector<SweepCell>& cells, const std::vector<SweepStep>& steps,
             std::vector<const EngineRow*> missing, bool yes, std::span<const RunRecord> rows,
             EarlierRows* earlier, const std::vector<DeviceInfo>& devices,
             const RecordContext& context, const Estimate& estimate) {
  Plan plan;
  plan.missing = std::move(missing);
  plan.sets_up = yes;
  const std::vector<VaryingAxis> axes = planned_axes(cells);
  std::ranges::transform(axes, std::back_inserter(plan.axes), &VaryingAxis::name);
  std::vector<const Cell*> executed;
  for (const SweepStep& step : steps) {
    const SweepCell& swept = cells[step.cell];
    const Cell& cell = swept.planned.cell;
    PlannedStep& planned = plan.steps.emplace_back();
    planned.cell = &swept;
    planned.step = step;
    planned.engine = asked_engine_words(cell, cell.task);
    for (const VaryingAxis& axis : axes) {
      planned.varying.push_back(axis.values[step.cell]);
    }
    if (is_known(cell.model)) {
      fill_memory(planned, cell);
    }
    planned.left_out = left_out_text(plan, swept, earlier, devices, context);
    if (!planned.left_out.empty()) {
      ++plan.left_out;
      continue;
    }
    if (is_known(cell.model)) {
      executed.push_back(&cell);
    }
    fill_expected_time(planned, rows, context, estimate);
    plan.seconds += planned.expected_s.value_or(0);
    plan.unknown += planned.expected_s ? 0 : 1;
  }
  plan.disk = disk_estimate(executed);
  return plan;
}

std::string to_text(const Plan& plan, const Screen& screen) {
  return table_of(plan, screen) + "\n" + total_text(plan);
}

std::string to_json_text(const Plan& plan) {
  std::size_t number = 0;
  OrderedJson steps = mapped(
      plan.steps, [&](const PlannedStep& planned) { return step_json(plan, planned, ++number); });
  const bool is_known = known_steps(plan) > 0 || plan.unknown == 0;
  const bool knows_disk = plan.disk.bytes == 0 || !searches_batch(plan);
  const OrderedJson document = {
      {"cells", std::move(steps)},
      {"left_out", plan.left_out},
      {"of_unknown_time", plan.unknown},
      {"expected_s", is_known ? OrderedJson(plan.seconds) : OrderedJson()},
      {"prepared_at_most", knows_disk ? OrderedJson(plan.disk.prepared) : OrderedJson()},
      {"kept_bytes_at_most", knows_disk ? OrderedJson(plan.disk.bytes) : OrderedJson()},
      {"not_set_up", missing_json(plan)},
      {"would_set_up", plan.sets_up}};
  return document.dump(2) + "\n";
}

} // namespace sdbench

#include "sdbench/front/words/record_blocks.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "record_figures.h"
#include "sdbench/base/config/sampler_table.h"
#include "sdbench/base/config/work_field_table.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/executor/measured_figure_table.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/numbers/statistics.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/base/weights/golden_bounds.h"
#include "sdbench/front/record/flags.h"
#include "sdbench/front/record/run_times.h"
#include "sdbench/front/record/work_record.h"
#include "sdbench/front/words/engine_words.h"
#include "text_block.h"

namespace sdbench {
namespace {

/// The kernels that compute with packed weights, if engine_words() does not name them.
std::string packed_remark(const RunRecord& r) {
  const std::string& used = r.packed_weights_used;
  const bool is_auto = r.packed_weights == "auto";
  if (used.empty() || used == "off") {
    return "";
  }
  if (used == "onednn" || used == "winograd") {
    return is_auto ? std::string("packed for ") + (used == "onednn" ? "oneDNN" : "Winograd") : "";
  }
  return is_auto ? "own kernels in " + used : "in " + used;
}

/// What the engine used for its axes, where the choices that were asked for leave it open.
std::string engine_remark(const RunRecord& r) {
  return joined({r.memory_format == "auto" ? r.memory_format_used : "", packed_remark(r),
                 r.vae_tiling == "on" && r.vae_tiles ? counted(*r.vae_tiles, "tile") : ""});
}

/// Tells whether training updates the weights; empty if the row does not train.
std::string update_text(const RunRecord& r) {
  return r.weight_update.empty()   ? ""
         : r.weight_update == "on" ? "with the optimiser's step"
                                   : "without update";
}

/// "clip skip 1"
std::string named_work(const RunRecord& r) {
  return joined(mapped(kWorkFields, [&](const WorkField& field) {
    const std::string said = field.words.empty() ? "" : said_text(r, field);
    return said.empty() ? "" : std::string(field.words) + " " + said;
  }));
}

void write_workload(TextBlock& block, const RunRecord& r) {
  const TaskRow& task = task_row_of(r.task);
  const std::string work =
      joined({size_text(r.width, r.height), work_text(task.task, r.steps, r.images, r.batch)});
  if (makes_images(task.task)) {
    block.heading(
        one_line(r.model) + "  " +
        joined({work, "guidance " + number_text(r.guidance), named_work(r),
                sampler_word(r.scheduler, r.noise_levels) + " (" + r.timestep_spacing + ")"}));
  } else {
    block.heading(one_line(r.model) + "  " +
                  joined({std::string(task.name), work, r.epochs ? counted(*r.epochs, "epoch") : "",
                          r.loss.empty() ? "" : "loss " + r.loss, update_text(r)}));
  }
  block.line("device",
             joined({one_line(r.device_name.empty() ? r.device_kind : r.device_name), r.device_arch,
                     r.driver_version.empty() ? "" : "driver " + r.driver_version}));
  block.line("weights", one_line(r.weights));
  if (!makes_images(task.task)) {
    block.line("dtype", r.dtype_unet);
    block.line("engine", engine_words(r), engine_remark(r));
  } else if (!r.dtype_vae.empty()) {
    block.line("dtype", "UNet " + r.dtype_unet + ", VAE " + r.dtype_vae + ", text " + r.dtype_text);
    block.line("attention", joined({r.attention_used.empty() ? r.attention : r.attention_used}));
    block.line("engine", engine_words(r), engine_remark(r));
  }
  if (!r.tags.empty()) {
    block.line("tags", one_line(r.tags));
  }
}

std::string iteration_text(const RunRecord& r) {
  const TaskRow& task = task_row_of(r.task);
  std::string text = "one it = " + std::string(task.step_phrase);
  if (r.batch != 1 && makes_images(task.task)) {
    text += " of all " + std::to_string(r.batch) + " images of a batch";
  }
  if (has_flag(r, "partial")) {
    text += "; from " + counted(r.step_count.value_or(0), "step") + " of an unfinished run";
  }
  return text;
}

/// What the 95 % intervals are made of: "within-run: 3 timed runs".
std::string cover_text(const RunRecord& r) {
  const bool between = r.ci95_covers == "between-runs";
  return r.ci95_covers + ": " + counted(r.ci95_count.value_or(0), between ? "row" : "timed run") +
         (between ? " of this cell" : "");
}

std::string stop_text(const RunRecord& r) {
  const std::string noise =
      r.noise ? "standard error " + significant_text(100 * *r.noise, 2) + " % of the mean" : "";
  if (r.stop_reason == "repeat") {
    return joined({r.epochs == 1 ? "the epoch itself, cold"
                   : r.epochs    ? "all epochs but the first"
                                 : "as many as --repeat asks for",
                   noise});
  }
  if (r.stop_reason == "max_noise") {
    return joined({noise, "low enough for --max-noise"});
  }
  if (r.stop_reason == "max_runs") {
    return joined({noise, "--max-noise was not reached"});
  }
  if (r.stop_reason == "max_time") {
    return joined({"--max-time ended the cell", noise});
  }
  return r.stop_reason;
}

void write_rates(TextBlock& block, const RunRecord& r) {
  if (r.unet_it_s || r.e2e_it_s) {
    block.blank();
  }
  if (r.images_per_s && r.e2e_it_s) {
    block.main_figure("images", significant_text(*r.images_per_s) + " images/s",
                      step_rate_text(*r.e2e_it_s) + ", " + iteration_text(r));
  }
  if (r.unet_it_s) {
    block.main_figure("UNet", step_rate_text(*r.unet_it_s), iteration_text(r));
  }
  if (r.unet_it_s && r.unet_it_s_ci95_low && r.unet_it_s_ci95_high) {
    block.line("95 % interval",
               step_rate_range_text(*r.unet_it_s, *r.unet_it_s_ci95_low, *r.unet_it_s_ci95_high),
               cover_text(r));
  }
  if (r.e2e_it_s && r.images_per_min && r.megapixels_per_s && !r.images_per_s) {
    block.line("end to end", step_rate_text(*r.e2e_it_s),
               significant_text(*r.images_per_min) + " images/min, " +
                   significant_text(*r.megapixels_per_s) + " megapixels/s");
  }
  if (const std::string interval = images_interval_text(r); !interval.empty()) {
    block.line("95 % interval", interval, cover_text(r));
  }
  if (r.achieved_tflops && r.images_per_s) {
    block.line("arithmetic", flops_text(*r.achieved_tflops), "counted from the architecture");
  }
  if (r.achieved_tflops && r.unet_tflop) {
    block.line("arithmetic", flops_text(*r.achieved_tflops),
               flop_text(*r.unet_tflop, *r.achieved_tflops) +
                   " an it, counted from the architecture");
  }
  if (r.probe_product_tflops) {
    block.line("device itself", flops_text(*r.probe_product_tflops),
               "matrix products, measured by a probe" +
                   (r.of_measured_peak_percent
                        ? ": the arithmetic is " +
                              significant_text(*r.of_measured_peak_percent, 2) + " % of it"
                        : ""));
  }
  if (!r.stop_reason.empty()) {
    block.line("timed runs", std::to_string(r.repeat), stop_text(r));
  }
}

void write_stage(TextBlock& block, const std::string& name, double seconds, double total) {
  block.line(name, time_text(seconds), significant_text(100 * seconds / total, 2) + " %");
}

/// "one iteration", "one step"
void write_steps(TextBlock& block, const RunRecord& r) {
  if (r.step_s_mean && r.step_s_p50 && r.step_s_p90) {
    block.line("one " + std::string(task_row_of(r.task).step), time_text(*r.step_s_mean),
               joined({r.step_s_sd ? "sd " + time_text(*r.step_s_sd) : "",
                       "median " + time_text(*r.step_s_p50), "p90 " + time_text(*r.step_s_p90),
                       r.step_s_p99 ? "p99 " + time_text(*r.step_s_p99) : ""}));
  }
}

/// Writes the parts of a network's run. Only the raw times have them.
void write_parts(TextBlock& block, const RunRecord& r) {
  if (!r.e2e_s || *r.e2e_s <= 0) {
    return;
  }
  block.blank();
  block.heading("One run of " +
                counted(batch_count(r.images, r.batch), std::string(task_row_of(r.task).step)) +
                ", mean of " + counted(r.repeat, "timed run"));
  for (const std::string_view part : task_row_of(r.task).parts) {
    if (const std::optional<double> seconds = mean(times_of_part(r, part))) {
      write_stage(block, std::string(part), *seconds, *r.e2e_s);
    }
  }
  block.line("all", time_text(*r.e2e_s), "by the wall clock");
  write_steps(block, r);
}

void write_epochs(TextBlock& block, const RunRecord& r) {
  if (!r.epochs || !r.epoch_s_first) {
    return;
  }
  block.blank();
  block.heading(counted(*r.epochs, "epoch") + " of " + counted(r.images, "image") + ", " +
                one_line(r.data) + " on the " + r.data_place);
  block.line("first epoch", time_text(*r.epoch_s_first), "cold");
  if (r.epoch_s_median) {
    block.line("the others", time_text(*r.epoch_s_median), "median");
  }
  if (r.train_s) {
    block.line("all", time_text(*r.train_s));
  }
  if (r.accuracy && r.test_s) {
    block.line("accuracy", significant_text(*r.accuracy),
               "of the test images, answered in " + time_text(*r.test_s));
  }
}

void write_stages(TextBlock& block, const RunRecord& r) {
  if (!makes_images(task_row_of(r.task).task)) {
    write_epochs(block, r);
    write_parts(block, r);
    return;
  }
  if (!r.e2e_s || !r.text_s || !r.unet_s || !r.vae_s || *r.e2e_s <= 0) {
    return;
  }
  block.blank();
  block.heading("One run of " + counted(r.images, "image") + ", mean of " +
                counted(r.repeat, "timed run"));
  const std::int64_t iterations = r.steps * (r.batch > 0 ? r.images / r.batch : 1);
  write_stage(block, "text encoder", *r.text_s, *r.e2e_s);
  write_stage(block, "UNet x " + std::to_string(iterations), *r.unet_s, *r.e2e_s);
  write_stage(block, "VAE decoder", *r.vae_s, *r.e2e_s);
  block.line("end to end", time_text(*r.e2e_s), "prompt to pixels, wall clock");
  write_steps(block, r);
}

std::string warmup_text(const RunRecord& r) {
  if (r.warmup_reason == "settled") {
    return "until two in a row took the same time";
  }
  if (r.warmup_reason == "limit") {
    return "and their times still differed";
  }
  return r.warmup_reason == "max_time" ? "then --max-time left no more" : "as --warmup asks";
}

std::string preparing_text(const RunRecord& r) {
  if (r.prepared == "kept") {
    return "what an earlier run had kept";
  }
  return r.prepared == "new"                        ? "exported, converted or compiled"
         : is_gpu(device_kind_named(r.device_kind)) ? "kernels compiled, attention tried"
                                                    : "weights packed";
}

void write_beginning(TextBlock& block, const RunRecord& r) {
  if (!r.load_s && !r.prepare_s && !r.first_image_it_s) {
    return;
  }
  block.blank();
  block.heading("Before the timed runs");
  if (r.load_s) {
    block.line("load", time_text(*r.load_s), "weights onto the device");
  }
  if (r.prepare_s) {
    block.line("prepare", time_text(*r.prepare_s), preparing_text(r));
  }
  const std::string first_run(task_row_of(r.task).first_run);
  if (r.first_image_s && !r.epochs) { // write_epochs() reports the first epoch
    block.line(first_run, time_text(*r.first_image_s),
               r.first_image_it_s ? "cold, " + step_rate_text(*r.first_image_it_s) : "cold");
  } else if (!r.first_image_s && r.first_image_it_s) {
    block.line(first_run, step_rate_text(*r.first_image_it_s), "cold, and not finished");
  }
  if (!r.warmup_reason.empty() && !r.epochs) { // epochs have no warm-up
    block.line("warm-up", counted(r.warmup.value_or(0), std::string(task_row_of(r.task).batch)),
               warmup_text(r));
  }
}

void write_memory(TextBlock& block, const RunRecord& r) {
  bool has_heading = false;
  for (const MeasuredFigure& figure : kMeasured) {
    const auto* const member = std::get_if<std::optional<std::int64_t> Measured::*>(&figure.member);
    if (figure.label.empty() || member == nullptr || !(r.*(*member))) {
      continue;
    }
    if (!std::exchange(has_heading, true)) {
      block.blank();
      block.heading("Peak memory");
    }
    const bool has_reserved =
        *member == &Measured::peak_device_allocated_bytes && r.peak_device_reserved_bytes;
    block.line(
        figure.label, bytes_text(*(r.*(*member))),
        std::string(figure.remark) +
            (has_reserved ? ", " + bytes_text(*r.peak_device_reserved_bytes) + " reserved" : ""));
  }
}

/// `before`, figure and `unit`; empty without a figure.
std::string with_unit(const char* before, const std::optional<double>& figure, const char* unit) {
  return figure ? before + significant_text(*figure) + unit : "";
}

/// Writes the sensors of a GPU, and of a CPU that reports its energy.
void write_sensors(TextBlock& block, const RunRecord& r) {
  if (!r.power_w_mean && !r.sm_clock_hz_mean && !r.temperature_c_max && !r.energy_j) {
    return;
  }
  block.blank();
  block.heading("Sensors during the timed runs");
  if (r.power_w_mean) {
    block.line("power", with_unit("", r.power_w_mean, " W"),
               joined({with_unit("at most ", r.power_w_max, " W"),
                       with_unit("limit ", r.power_limit_w, " W"),
                       with_unit("idle ", r.power_w_idle, " W")}));
  }
  if (r.energy_j) {
    block.line("energy", with_unit("", r.energy_j, " J"), with_unit("", r.j_per_image, " J/image"));
  }
  if (r.sm_clock_hz_mean) {
    block.line("SM clock", clock_text(*r.sm_clock_hz_mean),
               r.sm_clock_hz_min ? "at least " + clock_text(*r.sm_clock_hz_min) : "");
  }
  if (r.temperature_c_max) {
    block.line("temperature", with_unit("", r.temperature_c_max, " degC"),
               with_unit("at the start ", r.temperature_c_start, " degC"));
  }
}

/// "1e-4", "0.03"
std::string bound_text(double bound) {
  constexpr double kLeast = 0.01;
  const double power = bound < kLeast ? std::floor(std::log10(bound) + 1e-9) : 0;
  std::ostringstream text;
  text << bound / std::pow(10, power);
  if (power != 0) {
    text << "e" << power;
  }
  return text.str();
}

/// "bf16: 0.063 of 0.2 allowed; fp32 is held to 1e-4"
std::string golden_words(const RunRecord& r, double error) {
  constexpr std::string_view kAutocast = "autocast-";
  const TaskRow& task = task_row_of(r.task);
  const bool on_cpu = is_cpu(device_kind_named(r.device_kind));
  const bool sums_in_fp16 = r.fp16_accumulation == "on";
  const auto bounds_of = [&](Dtype unet, Dtype vae, bool has_tf32) {
    const double logits = golden_logits_bound(unet, has_tf32, on_cpu);
    return makes_images(task.task) ? golden_bounds(unet, vae, {has_tf32, sums_in_fp16, on_cpu})
                                   : GoldenBounds{logits, logits};
  };
  const std::string off = "off by " + significant_text(error, 2) + " of the largest value that " +
                          std::string(task.oracle) + " computed";
  const std::optional<Dtype> unet = compute_dtype_from_name(
      r.dtype_unet.starts_with(kAutocast) ? r.dtype_unet.substr(kAutocast.size()) : r.dtype_unet);
  if (!unet) {
    return off;
  }
  const bool has_tf32 = !r.tf32_used.empty() && r.tf32_used != "off";
  const GoldenBounds bounds =
      bounds_of(*unet, compute_dtype_from_name(r.dtype_vae).value_or(*unet), has_tf32);
  const std::string dtype = r.dtype_unet + (has_tf32       ? " with TF32: "
                                            : sums_in_fp16 ? " with fp16 accumulation: "
                                                           : ": ");
  if (r.golden_check != "pass") {
    return dtype + off + "; allowed are " + bound_text(bounds.latents) +
           (bounds.pixels == bounds.latents ? "" : ", of the image " + bound_text(bounds.pixels));
  }
  const double strict = bounds_of(Dtype::kF32, Dtype::kF32, false).latents;
  return dtype + significant_text(error, 2) + " of " + bound_text(bounds.latents) + " allowed" +
         (bounds.latents == strict ? "" : "; fp32 is held to " + bound_text(strict));
}

void write_verdict(TextBlock& block, const RunRecord& r) {
  block.blank();
  if (!r.output_check.empty()) {
    block.verdict("output check", r.output_check, r.output_check == "pass",
                  std::string(task_row_of(r.task).output));
  }
  if (!r.golden_check.empty()) {
    block.verdict("golden check", r.golden_check, r.golden_check == "pass",
                  r.golden_rel_err ? golden_words(r, *r.golden_rel_err) : "");
  }
  if (r.agreement_rel_err) {
    block.line("same picture", "off by " + significant_text(*r.agreement_rel_err, 2),
               "of engine plain's final latents");
  }
  std::istringstream flags(one_line(r.flags));
  for (std::string flag; flags >> flag;) {
    const bool has_programs = flag == "busy" && !r.busy_programs.empty();
    block.line("flag", flag,
               std::string(flag_text(flag)) +
                   (has_programs ? ": " + one_line(r.busy_programs) : ""));
  }
  block.verdict("status", r.status, r.status == "ok", message_line(r.error));
}

} // namespace

std::string to_record_blocks(std::span<const RunRecord> records, bool colour) {
  std::string text;
  for (const RunRecord& record : records) {
    TextBlock block(colour);
    write_workload(block, record);
    write_rates(block, record);
    write_stages(block, record);
    write_beginning(block, record);
    write_memory(block, record);
    write_sensors(block, record);
    write_verdict(block, record);
    text += (text.empty() ? "" : "\n") + block.text();
  }
  return text;
}

} // namespace sdbench

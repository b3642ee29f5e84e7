#include <cmath>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/config/other_engine_table.h"
#include "sdbench/base/config/run_config.h"
#include "sdbench/base/config/run_options.h"
#include "sdbench/base/errors/checked_value.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/file_ending.h"
#include "sdbench/base/files/home_path.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/files/plain_text.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/tags.h"
#include "sdbench/base/types/task_table.h"

// The only table of options: the command line, config files and the help are made from it.

namespace sdbench {
namespace {

void set_size(RunOptions& options, const Json& value) {
  const auto text = value.get<std::string>();
  const std::size_t cross = text.find_first_of("xX");
  std::optional<std::int64_t> width;
  std::optional<std::int64_t> height;
  if (cross != std::string::npos) {
    width = parse_integer(std::string_view(text).substr(0, cross));
    height = parse_integer(std::string_view(text).substr(cross + 1));
  }
  if (!width || !height) {
    throw UsageError("size must be WIDTHxHEIGHT in pixels, such as 512x768, but is " +
                     in_quotes(text));
  }
  options.cell.width = width;
  options.cell.height = height;
}

void set_timestep_spacing(RunOptions& options, const Json& value) {
  const auto name = value.get<std::string>();
  options.cell.timestep_spacing = timestep_spacing_from_name(name);
  if (!options.cell.timestep_spacing) {
    throw UsageError("timestep-spacing must be leading, linspace or trailing, but is " +
                     in_quotes(name));
  }
}

double seconds_above_zero(const char* name, const Json& value) {
  const auto seconds = value.get<double>();
  if (!(seconds > 0) || !std::isfinite(seconds)) {
    throw UsageError(std::string(name) + " must be seconds above zero, but is " + json_text(value));
  }
  return seconds;
}

/// An empty text here is a mistake (like an unset variable of a script), never "not given".
std::string not_empty(const char* name, const Json& value) {
  auto text = value.get<std::string>();
  if (text.empty()) {
    throw UsageError(std::string(name) + " must not be empty; leave it out for the default");
  }
  return text;
}

/// The task's name or alias, unchanged, so that later errors use the user's word.
std::string checked_task(const Json& value) {
  if (std::string word = not_empty("task", value); task_named(word)) {
    return word;
  }
  return one_of("task", value.get<std::string>(),
                mapped<std::string>(task_table(), &TaskRow::name)); // throws
}

std::string read_prompt_file(const std::filesystem::path& file) {
  constexpr std::size_t kMaxBytes = std::size_t{64} << 20;
  try {
    return read_plain_text(file, kMaxBytes);
  } catch (const Error& error) {
    throw Error("prompt @" + file.string() + ": " + error.what() +
                "; name a file with one prompt per line");
  }
}

void set_telemetry(RunOptions& options, const Json& value) {
  options.telemetry = value.get<std::string>();
  if (file_ending(options.telemetry) != ".csv") {
    throw UsageError("telemetry must be a file that ends in .csv, but is " +
                     in_quotes(options.telemetry.string()));
  }
}

void set_telemetry_interval(RunOptions& options, const Json& value) {
  constexpr double kShortest = 0.01; // sensors are not faster, and reading them would begin to cost
  constexpr double kLongest = 3600;
  const double seconds = options.telemetry_interval_s = value.get<double>();
  if (seconds != 0 && !(seconds >= kShortest && seconds <= kLongest)) {
    throw UsageError("telemetry-interval must be 0 (off) or seconds from 0.01 to 3600, but is " +
                     json_text(value));
  }
}

void set_probe(RunOptions& options, const Json& value) {
  const std::string use = one_of("probe", value.get<std::string>(), {"auto", "on", "off"});
  options.probe = use == "on" ? ProbeUse::kOn : use == "off" ? ProbeUse::kOff : ProbeUse::kAuto;
}

std::int64_t count_of(const char* name, const Json& value) {
  constexpr std::int64_t kMost = 100000;
  return in_range(name, value.get<std::int64_t>(), 1, kMost);
}

double seconds_from_zero_up(const char* name, const Json& value) {
  const auto seconds = value.get<double>();
  if (!(seconds >= 0) || !std::isfinite(seconds)) {
    throw UsageError(std::string(name) + " must be seconds from zero up, but is " +
                     json_text(value));
  }
  return seconds;
}

/// Empty for "auto".
std::optional<std::int64_t> integer_or_auto(const Json& value) {
  return value.is_number() ? std::optional(value.get<std::int64_t>()) : std::nullopt;
}

/// The sign is required: a bare 0.5 could mean half a percent or a half.
void set_max_noise(RunOptions& options, const Json& value) {
  const auto text = value.get<std::string>();
  std::optional<double> percent;
  if (text.ends_with('%')) {
    percent = parse_number(std::string_view(text).substr(0, text.size() - 1));
  }
  if (!percent || !(*percent > 0) || *percent > 100) {
    throw UsageError("max-noise must be a percentage above 0% and at most 100%, such as 0.5%, but "
                     "is " +
                     in_quotes(text));
  }
  options.cell.max_noise = *percent / 100;
}

/// The lines of a file of prompts, without blank ones.
void append_prompts_of(const std::filesystem::path& file, std::vector<std::string>& prompts) {
  const std::size_t before = prompts.size();
  const std::string content = read_prompt_file(file);
  for (std::string_view line : split(content, '\n')) {
    if (line.ends_with('\r')) {
      line.remove_suffix(1);
    }
    if (line.find_first_not_of(" \t") != std::string_view::npos) {
      prompts.emplace_back(line);
    }
  }
  if (prompts.size() == before) {
    throw Error("prompt @FILE must hold one prompt per line, but " + file.string() + " is empty");
  }
}

void set_prompts(RunOptions& options, const Json& value) {
  options.cell.prompts.clear();
  for (const auto& prompt : value.get<std::vector<std::string>>()) {
    if (prompt.starts_with('@')) {
      append_prompts_of(with_home(prompt.substr(1)), options.cell.prompts);
    } else {
      options.cell.prompts.push_back(prompt);
    }
  }
}

void set_outputs(RunOptions& options, const Json& value) {
  const auto names = value.get<std::vector<std::string>>();
  options.outputs.assign(names.begin(), names.end());
}

constexpr std::string_view kModel = "Model";
constexpr std::string_view kWork = "Work";
constexpr std::string_view kHow = "How it is computed";
constexpr std::string_view kMeasure = "Measurement";
constexpr std::string_view kSweep = "Sweep";
constexpr std::string_view kOutput = "Output";

using O = RunOptions;
using K = OptionKind;
using S = OptionScope;
using E = WithEpochs;

constexpr Task kOfImages[] = {Task::kGenerate};
constexpr Task kOfNetworks[] = {Task::kInfer, Task::kTrain};
constexpr Task kOfTraining[] = {Task::kTrain};

/// Placeholder in the table for the engine's axes.
constexpr std::string_view kAxesGoHere = "";

// clang-format off
const RunOption kOptions[] = {
    {"model", 'm', K::kText, "NAME|PATH", kModel, "name in 'list models', or a file or folder with weights (sd15)",
     [](O& o, const Json& v) { o.cell.model = not_empty("model", v); o.model_given = true; }},
    {"weights", 0, K::kText, "PATH|REPO|synthetic[:SEED]", kModel, "folder, .safetensors or cached repository (found, else synthetic)",
     [](O& o, const Json& v) { o.cell.weights = not_empty("weights", v); }, false, S::kCell},

    {"steps", 0, K::kInteger, "N", kWork, "scheduler steps per image (the model's, else 50)",
     [](O& o, const Json& v) { o.cell.steps = v.get<std::int64_t>(); }, false, S::kAxis, kOfImages},
    {"size", 0, K::kText, "WxH", kWork, "image size in pixels (the model's)", set_size, false, S::kAxis, kOfImages},
    {"width", 0, K::kInteger, "N", kWork, "image width in pixels (the model's)",
     [](O& o, const Json& v) { o.cell.width = v.get<std::int64_t>(); }, false, S::kAxis, kOfImages},
    {"height", 0, K::kInteger, "N", kWork, "image height in pixels (the model's)",
     [](O& o, const Json& v) { o.cell.height = v.get<std::int64_t>(); }, false, S::kAxis, kOfImages},
    {"batch", 'b', K::kIntegerOrAuto, "N|auto", kWork, "images computed together (1); auto finds the fastest number",
     [](O& o, const Json& v) { o.cell.batch = integer_or_auto(v); }},
    {"images", 0, K::kInteger, "N", kWork, "images per run (as many as --batch, or as prompts if several)",
     [](O& o, const Json& v) { o.cell.images = v.get<std::int64_t>(); }, false, S::kAxis, kOfImages},
    {"prompt", 0, K::kTextList, "TEXT|@FILE", kWork, "prompt of all images; repeat: one per image; @FILE: one per line",
     set_prompts, false, S::kCell, kOfImages},
    {"negative-prompt", 0, K::kText, "TEXT", kWork, "what the image should not show",
     [](O& o, const Json& v) { o.cell.negative_prompt = v.get<std::string>(); }, false, S::kCell, kOfImages},
    {"guidance", 0, K::kNumber, "X", kWork, "guidance scale, at most 1 for no guidance (the model's)",
     [](O& o, const Json& v) { o.cell.guidance = v.get<double>(); }, false, S::kAxis, kOfImages},
    {"clip-skip", 0, K::kInteger, "N", kWork, "skip the text encoders' last N layers; A1111's 2 is 1 here (0)",
     [](O& o, const Json& v) { v.get_to(o.cell.clip_skip); }, false, S::kAxis, kOfImages},
    {"seed", 0, K::kUnsigned, "N", kWork, "seed of the first image's noise; image i has seed + i (0)", [](O& o, const Json& v) { v.get_to(o.cell.seed); }},
    {"scheduler", 0, K::kText, "NAME", kWork, "auto or {samplers}; auto is the model's (auto)",
     [](O& o, const Json& v) { v.get_to(o.cell.scheduler); }, false, S::kCell, kOfImages},
    {"timestep-spacing", 0, K::kText, "NAME", kWork, "leading, linspace or trailing (the model's)", set_timestep_spacing, false, S::kAxis, kOfImages},
    {"karras", 0, K::kFlag, "", kWork, "use the noise levels of Karras et al. (the model's)",
     [](O& o, const Json& v) { o.cell.karras = v.get<bool>(); }, true, S::kAxis, kOfImages},
    {"task", 0, K::kText, "NAME", kWork, "generate; for a classifier network: infer (default) or train",
     [](O& o, const Json& v) { o.cell.task = checked_task(v); }},
    {"iterations", 0, K::kInteger, "N", kWork, "classifier networks: batches per run (20)",
     [](O& o, const Json& v) { o.cell.iterations = v.get<std::int64_t>(); }, false, S::kAxis, kOfNetworks, E::kNever},
    {"update", 0, K::kText, "NAME", kWork, "in training: on or off; on adds the optimiser's step (off)",
     [](O& o, const Json& v) { o.cell.update = one_of("update", v.get<std::string>(), {"on", "off"}); }, false, S::kAxis, kOfTraining},
    {"loss", 0, K::kText, "NAME", kWork, "in training: cross-entropy or logit-sum (cross-entropy)",
     [](O& o, const Json& v) { o.cell.loss = one_of("loss", v.get<std::string>(), {kCrossEntropy, kLogitSum}); }, false, S::kAxis, kOfTraining},
    {"epochs", 0, K::kInteger, "N", kWork, "in training: passes over all of --data, with optimiser steps",
     [](O& o, const Json& v) { o.cell.epochs = count_of("epochs", v); }, false, S::kAxis, kOfTraining},
    {"data", 0, K::kText, "PATH|synthetic[:N]", kWork, "for --epochs: folder of CIFAR-10 (SDBENCH_DATA, else synthetic)",
     [](O& o, const Json& v) { o.cell.data = not_empty("data", v); }, false, S::kCell, kOfTraining, E::kOnly},
    {"data-place", 0, K::kText, "NAME", kWork, "for --epochs: where the images are kept, host or device (host)",
     [](O& o, const Json& v) { o.cell.data_place = one_of("data-place", v.get<std::string>(), {"host", "device"}); }, false, S::kAxis, kOfTraining, E::kOnly},
    {"init-latents", 0, K::kText, "FILE", kWork, "initial noise: a safetensors file with the tensor \"latents\"",
     [](O& o, const Json& v) { o.cell.init_latents = not_empty("init-latents", v); }, false, S::kCell, kOfImages},

    {"device", 0, K::kText, "NAME", kHow, "auto, {devices} or all; cpu:0,cpu:1 share cores (auto)",
     [](O& o, const Json& v) { v.get_to(o.cell.device); }},
    {"dtype", 0, K::kText, "NAME", kHow, "auto, fp16, bf16, fp32, autocast-fp16 or autocast-bf16 (auto)", [](O& o, const Json& v) { v.get_to(o.cell.dtype); }},
    {"parallel", 0, K::kFlag, "", kHow, "run each listed device alone, then all together",
     [](O& o, const Json& v) { v.get_to(o.cell.parallel); }, false, S::kRun},
    {"share", 0, K::kText, "NAME", kHow, "what --parallel divides: prompts or batch; each: nothing",
     [](O& o, const Json& v) { o.cell.share = not_empty("share", v); }},
    {"threads", 0, K::kInteger, "N", kHow, "CPU threads (one per core)", [](O& o, const Json& v) { v.get_to(o.cell.threads); }},
    {kAxesGoHere, 0, K::kText, "", kHow, "", nullptr},

    {"repeat", 'r', K::kInteger, "N", kMeasure, "number of timed runs (3)",
     [](O& o, const Json& v) { v.get_to(o.cell.repeat); }, false, S::kAxis, {}, E::kNever},
    {"max-noise", 0, K::kText, "PERCENT", kMeasure, "repeat until the mean's standard error is below this", set_max_noise, false, S::kAxis, {}, E::kNever},
    {"max-time", 0, K::kNumber, "SECONDS", kMeasure, "end each cell at its first step after this time",
     [](O& o, const Json& v) { o.cell.max_time_s = seconds_above_zero("max-time", v); }},
    {"warmup", 0, K::kIntegerOrAuto, "N|auto", kMeasure, "untimed batches after the first image (auto: 1 to 5)", 
     [](O& o, const Json& v) { o.cell.warmup = integer_or_auto(v); }, false, S::kAxis, {}, E::kNever},
    {"timeout", 0, K::kNumber, "SECONDS", kMeasure, "end a cell whose worker is silent for this long (600)",
     [](O& o, const Json& v) { o.timeout_s = seconds_above_zero("timeout", v); }, false, S::kRun},
    {"telemetry-interval", 0, K::kNumber, "SECONDS", kMeasure, "time between sensor readings; 0: no readings (0.1)",
     set_telemetry_interval, false, S::kRun},
    {"probe", 0, K::kText, "NAME", kMeasure, "probe devices between cells: auto, on or off (auto)", set_probe, false, S::kRun},

    {"rounds", 0, K::kInteger, "N", kSweep, "run the whole sweep N times (1)",
     [](O& o, const Json& v) { o.rounds = count_of("rounds", v); }, false, S::kRun},
    {"restarts", 0, K::kInteger, "N", kSweep, "run each cell N times, each time in a fresh worker process",
     [](O& o, const Json& v) { o.restarts = count_of("restarts", v); }, false, S::kRun},
    {"cooldown", 0, K::kNumber, "SECONDS", kSweep, "pause between cells (0)",
     [](O& o, const Json& v) { o.cooldown_s = seconds_from_zero_up("cooldown", v); }, false, S::kRun},
    {"wait-quiet", 0, K::kNumber, "SECONDS", kSweep, "each cell waits at most this long for other programs to end (0)",
     [](O& o, const Json& v) { o.wait_quiet_s = seconds_from_zero_up("wait-quiet", v); }, false, S::kRun},
    {"keep-going", 0, K::kFlag, "", kSweep, "also try larger batches after one ran out of memory",
     [](O& o, const Json& v) { v.get_to(o.keep_going); }, false, S::kRun},
    {"resume", 0, K::kFlag, "", kSweep, "skip cells that have a row in the output files already",
     [](O& o, const Json& v) { v.get_to(o.resume); }, false, S::kRun},
    {"retry-failed", 0, K::kFlag, "", kSweep, "with --resume: also run failed cells again",
     [](O& o, const Json& v) { v.get_to(o.retry_failed); }, false, S::kRun},
    {"yes", 'y', K::kFlag, "", kSweep, "install missing packages of other engines without asking",
     [](O& o, const Json& v) { v.get_to(o.yes); }, false, S::kRun},
    {"dry-run", 0, K::kFlag, "", kSweep, "only print what would run, and the time and memory it needs",
     [](O& o, const Json& v) { v.get_to(o.dry_run); }, false, S::kRun},

    {"output", 'o', K::kTextList, "FILE", kOutput, "append to {appended}; replace {replaced}; repeatable",
     set_outputs, false, S::kRun},
    {"no-save", 0, K::kFlag, "", kOutput, "without -o: do not write sdbench-results/<host>.csv and .jsonl",
     [](O& o, const Json& v) { v.get_to(o.no_save); }, false, S::kRun},
    {"overwrite", 0, K::kFlag, "", kOutput, "replace files even if this loses rows or other data",
     [](O& o, const Json& v) { v.get_to(o.overwrite); }, false, S::kRun},
    {"format", 0, K::kText, "NAME", kOutput, "format on stdout: {formats} (table)",
     [](O& o, const Json& v) { v.get_to(o.format); }, false, S::kRun},
    {"telemetry", 0, K::kText, "FILE.csv", kOutput, "append every reading of every sensor", set_telemetry, false, S::kRun},
    {"label", 0, K::kText, "TEXT", kOutput, "a name for the rows", [](O& o, const Json& v) { v.get_to(o.label); }, false, S::kCell},
    {"note", 0, K::kText, "TEXT", kOutput, "a remark for the rows", [](O& o, const Json& v) { v.get_to(o.note); }, false, S::kCell},
    {"tag", 0, K::kTextList, "KEY=VALUE", kOutput, "a fact that no sensor reports, such as cooler=air; repeatable",
     [](O& o, const Json& v) { o.tags = joined_tags(v.get<std::vector<std::string>>()); }, false, S::kCell},
    {"save-images", 0, K::kText, "DIR", kOutput, "write the images as PNG files", [](O& o, const Json& v) { o.cell.save_images = not_empty("save-images", v); }, false, S::kRun, kOfImages},
    {"dump-latents", 0, K::kText, "FILE", kOutput, "write the final latents as safetensors",
     [](O& o, const Json& v) { o.cell.dump_latents = not_empty("dump-latents", v); }, false, S::kCell, kOfImages},
};
// clang-format on

/// "with --engine pytorch: math or sdpa": a line for each set of choices of external engines.
std::map<std::string, std::string> lines_of_others(const EngineAxis& axis) {
  std::map<std::string, std::string> lines; // by the choice
  for (const EngineRow& row : other_engine_table()) {
    if (const EngineTableAxis* const has = find_axis(row, axis.name);
        has != nullptr && !has->choices.empty()) {
      std::string& line = lines[listed(has->choices)];
      line += (line.empty() ? "with --engine " : ", ") + std::string(row.name);
    }
  }
  return lines;
}

/// "what it does: auto, on or off (auto)"
std::string help_of(const EngineAxis& axis) {
  if (axis.is_flag) {
    return std::string(axis.help);
  }
  const auto others = lines_of_others(axis);
  std::string text = axis.help.empty() ? "" : std::string(axis.help) + ": ";
  text += !axis.choices_words.empty() ? std::string(axis.choices_words)
          : others.empty()            ? listed(axis.choices)
                                      : listed(own_choices(axis));
  text += " (" + std::string(axis.choices.front()) + ")";
  for (const auto& [choices, engines] : others) {
    text += "\n" + engines + ": " + choices;
  }
  return text;
}

/// `texts` owns the texts to which the option's views point.
RunOption option_of(const EngineAxis& axis, std::deque<std::string>& texts) {
  const std::string_view name = texts.emplace_back(option_name(axis));
  const std::string_view help = texts.emplace_back(help_of(axis));
  const auto asked = axis.asked;
  const auto set_flag = [asked](O& o, const Json& v) {
    o.cell.*asked = v.get<bool>() ? "on" : "off";
  };
  const auto set_text = [asked](O& o, const Json& v) { v.get_to(o.cell.*asked); };
  if (axis.is_flag) {
    return {name, 0, K::kFlag, "", kHow, help, set_flag, true, S::kAxis, axis.tasks};
  }
  return {name, 0, K::kText, "NAME", kHow, help, set_text, false, S::kAxis, axis.tasks};
}

} // namespace

std::span<const RunOption> run_options() {
  static std::deque<std::string> texts;
  static const std::vector<RunOption> options = [] {
    std::vector<RunOption> all;
    for (const RunOption& option : kOptions) {
      if (option.name != kAxesGoHere) {
        all.push_back(option);
        continue;
      }
      for (const EngineAxis& axis : engine_axes()) {
        all.push_back(option_of(axis, texts));
      }
    }
    return all;
  }();
  return options;
}

} // namespace sdbench

#include "sdbench/front/quality/study_plan.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <span>
#include <utility>

#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/config/run_options.h"
#include "sdbench/base/config/work_field_table.h"
#include "sdbench/base/device/device_name.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/errors/suggestion.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/plan/resolve_model.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/words/engine_words.h"

namespace sdbench {
namespace {

/// Options in which candidates and reference may differ, in addition to the engine's axes.
constexpr std::array<std::string_view, 5> kOtherWays = {"dtype", "steps", "batch", "device",
                                                        "threads"};
/// Options that decide which pictures are made, in addition to the fields of the work. All
/// candidates share them.
constexpr std::array<std::string_view, 7> kOtherWork = {
    "model", "weights", "size", "prompt", "negative-prompt", "seed", "init-latents"};
/// Options of the run as a whole.
constexpr std::array<std::string_view, 6> kAround = {"timeout", "no-save", "overwrite",
                                                     "label",   "note",    "tag"};

std::vector<std::string> way_names() {
  std::vector<std::string> names(kOtherWays.begin(), kOtherWays.end());
  for (const EngineAxis& axis : engine_axes()) {
    names.push_back(option_name(axis));
  }
  return names;
}

/// All options that decide which pictures are made.
std::vector<std::string> work_names() {
  std::vector<std::string> names(kOtherWork.begin(), kOtherWork.end());
  for (const WorkField& field : kWorkFields) {
    const std::string name = option_name(field);
    const std::span<const Task> tasks = find_run_option(name)->tasks;
    const bool is_of_pictures = std::ranges::find(tasks, Task::kGenerate) != tasks.end();
    if (is_of_pictures && std::ranges::find(kOtherWays, name) == kOtherWays.end()) {
      names.push_back(name);
    }
  }
  return names;
}

/// Words for one part of the way to compute. Cells differ in it if the words differ.
using WayWords = std::function<std::string(const Cell& cell)>;

const std::vector<WayWords>& said_ways() {
  static const std::vector<WayWords> ways = [] {
    std::vector<WayWords> all = {[](const Cell& c) { return counted(c.steps, "step"); },
                                 [](const Cell& c) { return "batch " + std::to_string(c.batch); },
                                 [](const Cell& c) { return "device " + c.device; },
                                 [](const Cell& c) {
                                   return c.threads == 0 ? "all threads"
                                                         : counted(c.threads, "thread");
                                 }};
    for (const EngineAxis& axis : engine_axes()) {
      if (axis.asked == &EngineAxes::engine) {
        all.push_back([](const Cell& c) { return engine_title(c.engine); });
        continue;
      }
      all.push_back([words = std::string(axis.words) + " ", asked = axis.asked](const Cell& c) {
        return words + c.*asked;
      });
    }
    return all;
  }();
  return ways;
}

/// The dtype, and everything else in which `cell` differs from any of `others`.
std::string words_for(const Cell& cell, const std::vector<const Cell*>& others) {
  std::string words = cell.dtype ? std::string(name_of(*cell.dtype)) : "auto";
  for (const WayWords& way : said_ways()) {
    const std::string said = way(cell);
    if (std::ranges::any_of(others, [&](const Cell* other) { return way(*other) != said; })) {
      words += ", " + said;
    }
  }
  return words;
}

bool is_same_way(const Cell& a, const Cell& b) {
  return a.dtype == b.dtype &&
         std::ranges::all_of(said_ways(), [&](const WayWords& way) { return way(a) == way(b); });
}

/// The value of one NAME=VALUE of --reference.
Json reference_value(const RunOption& option, const std::string& text) {
  if (option.kind != OptionKind::kFlag) {
    return parse_option_value(option, {text});
  }
  if (text != "true" && text != "false") {
    throw UsageError("--reference " + std::string(option.name) + " must be true or false, but is " +
                     in_quotes(text));
  }
  return text == "true";
}

/// The values of --reference ("dtype=fp32,attention=math") as options.
Json parsed_reference(const std::vector<std::string>& texts) {
  const std::vector<std::string> names = way_names();
  Json values = Json::object();
  for (const std::string& text : texts) {
    for (const std::string_view part : split(text, ',')) {
      const std::string setting(part);
      const std::string name = setting.substr(0, setting.find('='));
      if (name.size() == setting.size()) {
        throw UsageError("--reference must be NAME=VALUE, such as dtype=fp32, but is " +
                         in_quotes(setting));
      }
      if (std::ranges::find(names, name) == names.end()) {
        throw UsageError("--reference must set how the pictures are computed (dtype, attention, "
                         "steps and so on), but sets " +
                         in_quotes(name) + did_you_mean(name, names));
      }
      values[name] = reference_value(*find_run_option(name), setting.substr(name.size() + 1));
    }
  }
  return values;
}

void refuse_lists_of_work(const Json& values) {
  for (const std::string& name : work_names()) {
    const auto value = values.find(name);
    if (value != values.end() && value->is_array() &&
        find_run_option(name)->kind != OptionKind::kTextList) {
      throw UsageError(
          "--" + name +
          " must have one value, because all candidates make the same pictures, but has " +
          std::to_string(value->size()) + "; call quality once for each");
    }
  }
}

/// The options that all candidates share: those without several values.
Json common_of(const Json& values) {
  Json common = values;
  for (const std::string& name : way_names()) {
    const auto value = common.find(name);
    if (value != common.end() && (value->is_array() || *value == kAllEngines)) {
      common.erase(value);
    }
  }
  return common;
}

StudyCell planned(const RunOptions& options, ModelResolver& models) {
  if (!options.cell.batch) {
    throw UsageError("--batch must be a number in a quality study, but is auto; name a number");
  }
  if (options.cell.device == kAllDevices) {
    throw UsageError("--device must name devices in a quality study, but is all; name them");
  }
  PlannedCell found = plan_cell(options.cell, options.model_given, models);
  if (found.unreadable) {
    refuse(found); // all candidates have the same model
  }
  if (found.cell.model.network) {
    throw UsageError("--model must make images for a study of them, but " +
                     in_quotes(found.cell.model.name) + " is a network");
  }
  found.cell.repeat = 0;
  found.cell.warmup = 0;
  return {std::move(found.cell), "", std::move(found.obstacle)};
}

} // namespace

std::vector<std::string> study_option_names() {
  std::vector<std::string> names = work_names();
  std::ranges::move(way_names(), std::back_inserter(names));
  names.insert(names.end(), kAround.begin(), kAround.end());
  return names;
}

Study plan_study(const Json& values, const std::vector<std::string>& reference,
                 const EnginesOfDevice& all) {
  refuse_lists_of_work(values);
  OptionLayers reference_layers;
  Json reference_values = parsed_reference(reference);
  if (!reference_values.contains("dtype")) {
    reference_values["dtype"] = "fp32";
  }
  Json common = common_of(values);
  common.erase("dtype");
  reference_layers.add(common, "--");
  reference_layers.add(reference_values, "--reference ");

  OptionLayers candidate_layers;
  candidate_layers.add({{"dtype", reference_values["dtype"]}}, "--reference ");
  candidate_layers.add(values, "--");

  ModelResolver models;
  Study study{planned(reference_layers.cells().front(), models), {}};
  const Cell& base = study.reference.cell;
  if (!study.reference.obstacle.empty()) {
    throw UsageError(study.reference.obstacle);
  }
  for (const RunOptions& options : candidate_layers.expanded(all).cells) {
    StudyCell candidate = planned(options, models);
    if (!is_same_way(candidate.cell, base)) {
      candidate.words = words_for(candidate.cell, {&base});
      study.candidates.push_back(std::move(candidate));
    }
  }
  std::vector<const Cell*> others =
      mapped(study.candidates, [&](const StudyCell& candidate) { return &candidate.cell; });
  study.reference.words = words_for(base, others);
  if (study.candidates.empty()) {
    throw UsageError("quality must have candidates that differ from the reference (" +
                     study.reference.words +
                     "), but has none; name some, such as --dtype fp16,bf16");
  }
  return study;
}

} // namespace sdbench

#include "sdbench/base/config/option_layers.h"

#include <algorithm>
#include <set>
#include <utility>

#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/other_engine_table.h"
#include "sdbench/base/config/run_config.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/own_engines.h"
#include "sdbench/base/types/task_table.h"

namespace sdbench {
namespace {

constexpr std::size_t kMostCells = 100000;
const std::string kUsualModel = RunConfig().model;

/// `later` over `earlier`. A size sets both width and height; a width alone keeps the height.
Json merged(Json earlier, const Json& later) {
  if (later.contains("size")) {
    earlier.erase("width");
    earlier.erase("height");
  }
  earlier.update(later);
  return earlier;
}

/// All combinations of the lists of axes, as single values.
std::vector<Json> combinations_of(const Json& values) {
  std::vector<Json> cells = {values};
  for (const RunOption& option : run_options()) {
    const std::string name(option.name);
    const auto list = values.find(name);
    if (list == values.end() || !list->is_array() || option.kind == OptionKind::kTextList) {
      continue;
    }
    if (cells.size() * list->size() > kMostCells) {
      throw UsageError("a sweep must have at most " + std::to_string(kMostCells) +
                       " cells, but these lists make more; leave some values out");
    }
    std::vector<Json> longer;
    for (const Json& cell : cells) {
      for (const Json& value : *list) {
        longer.push_back(cell);
        longer.back()[name] = value;
      }
    }
    cells = std::move(longer);
  }
  return cells;
}

/// True if an engine has the axis; nullptr: one of ours. All have the axis `engine`. All have
/// `vae_tiling` as well: it makes another image, so it cannot be dropped, and plan_cell refuses it.
bool has_axis(const EngineRow* row, const EngineAxis& axis) {
  if (axis.asked == &EngineAxes::engine || axis.asked == &EngineAxes::vae_tiling) {
    return true;
  }
  return row == nullptr ? own_choices(axis).size() > 1 : find_axis(*row, axis.name) != nullptr;
}

void note_absent(std::vector<AbsentAxes>& absent, const std::string& engine,
                 const std::string& option) {
  auto found = std::ranges::find(absent, engine, &AbsentAxes::engine);
  if (found == absent.end()) {
    found = absent.insert(absent.end(), {engine, {}});
  }
  add_new(found->options, {option});
}

/// Removes the axes that a cell's engine lacks, so that all their values give one cell. Adds those
/// that should have an effect to `absent`.
Json without_absent_axes(Json values, std::vector<AbsentAxes>& absent) {
  const std::string engine = values.value("engine", std::string(kTunedEngine));
  const EngineRow* const row = find_engine_row(engine);
  for (const EngineAxis& axis : engine_axes()) {
    const auto value = values.find(option_name(axis));
    if (value == values.end() || has_axis(row, axis)) {
      continue;
    }
    if (*value != Json(std::string(axis.id_default))) {
      note_absent(absent, engine, "--" + option_name(axis));
    }
    values.erase(value);
  }
  return values;
}

/// Kind of weights given without a model's name: a network's weights are beside its architecture.
ModelKind kind_of_weights(const Json& values) {
  const auto weights = values.find("weights");
  if (weights == values.end() || !weights->is_string() || *weights == "") {
    return ModelKind::kPipeline;
  }
  const std::filesystem::path path = weights->get<std::string>();
  return network_file_of(path.filename() == "model.safetensors" ? path.parent_path() : path)
             ? ModelKind::kNetwork
             : ModelKind::kPipeline;
}

/// The tasks of the cells, and the options that some tasks lack.
class Tasks {
public:
  /// Removes those options, so that all their values give one cell.
  Json without_absent_options(Json values) {
    const Task task = task_of(values);
    const bool trains_epochs =
        values.contains("epochs") && has_option(task, *find_run_option("epochs"));
    const auto model = values.value("model", std::string(kUsualModel));
    for (const RunOption& option : run_options()) {
      const std::string name(option.name);
      if (!values.contains(name)) {
        continue;
      }
      std::string obstacle = option_obstacle(option, task, model, trains_epochs);
      if (obstacle.empty()) {
        had_.insert(name);
        continue;
      }
      absent_.try_emplace(name, std::move(obstacle), has_option(task, option));
      values.erase(name);
    }
    return values;
  }

  /// Throws UsageError for an option that no cell has. But if the model, the task or --epochs comes
  /// from a later source than the option, there is no error: a preset's options suit its own tasks.
  /// `sources`: number of the last source of each option.
  void refuse_absent_of_all(const std::map<std::string, int>& sources) const {
    const auto source_of = [&sources](const std::string& name) {
      const auto found = sources.find(name);
      return found == sources.end() ? 0 : found->second;
    };
    const int of_task = std::max(source_of("model"), source_of("task"));
    const int of_epochs = std::max(of_task, source_of("epochs"));
    for (const auto& [name, why] : absent_) {
      const auto& [obstacle, is_of_epochs] = why;
      if (!had_.contains(name) && source_of(name) >= (is_of_epochs ? of_epochs : of_task)) {
        throw UsageError(obstacle);
      }
    }
  }

private:
  Task task_of(const Json& values) {
    if (const auto asked = values.find("task"); asked != values.end()) {
      return task_named(asked->get<std::string>()).value_or(Task::kGenerate);
    }
    if (!values.contains("model")) {
      return usual_task(kind_of_weights(values));
    }
    const auto model = values.at("model").get<std::string>();
    const auto [known, is_new] = kinds_.try_emplace(model);
    if (is_new) {
      known->second = kind_of_model(model);
    }
    return usual_task(known->second);
  }

  std::map<std::string, ModelKind> kinds_; ///< by the model's name
  std::set<std::string> had_;
  /// By the option: its obstacle, and true if only --epochs is the reason.
  std::map<std::string, std::pair<std::string, bool>> absent_;
};

/// A cell for each engine in "all".
std::vector<Json> with_engines_named(const Json& values, const EnginesOfDevice& all) {
  if (!all || values.value("engine", "") != kAllEngines) {
    return {values};
  }
  return mapped(all(values.value("device", "auto")), [&](const std::string& engine) {
    Json cell = values;
    cell["engine"] = engine;
    return cell;
  });
}

/// The devices of a cell's list.
std::vector<std::string> devices_of(const Json& values) {
  const auto device = values.find("device");
  if (device == values.end()) {
    return {};
  }
  return device->is_array() ? device->get<std::vector<std::string>>()
                            : std::vector<std::string>{device->get<std::string>()};
}

/// A cell of a list. Parallel devices are not an axis.
Json without_parallel_devices(Json values, const std::vector<std::string>& devices) {
  if (!devices.empty() && values.value("parallel", false)) {
    values["device"] = devices.front();
  }
  return values;
}

void refuse_run_options(const Json& cell, const std::string& origin) {
  for (const auto& [name, value] : cell.items()) {
    const RunOption* const option = find_run_option(name);
    if (option != nullptr && option->scope == OptionScope::kRun) {
      throw UsageError(
          origin + name +
          " must be given beside cells, but is inside one: it holds for the whole run");
    }
  }
}

std::vector<Json> checked_cells(const Json& list, const std::string& origin) {
  if (!list.is_array() || list.empty()) {
    throw UsageError(origin + "cells must be a list of objects with options, but is " +
                     (list.is_array() ? "empty" : std::string("of type ") + list.type_name()));
  }
  std::vector<Json> cells;
  for (const Json& cell : list) {
    const std::string place = origin + "cells[" + std::to_string(cells.size()) + "]: ";
    if (!cell.is_object()) {
      throw UsageError(place +
                       "a cell must be an object of option names and values, but is of "
                       "type " +
                       cell.type_name());
    }
    refuse_run_options(cell, place);
    check_options(cell, place);
    cells.push_back(cell);
  }
  return cells;
}

} // namespace

void OptionLayers::add(const Json& values, const std::string& origin) {
  check_options(values, origin);
  ++source_count_;
  note_source(values);
  general_ = merged(std::move(general_), values);
  if (explicit_cells_) {
    for (Json& cell : *explicit_cells_) {
      cell = merged(std::move(cell), values);
    }
  }
}

void OptionLayers::add_file(const std::filesystem::path& file) {
  Json values = read_json_file(file);
  if (!values.is_object()) {
    throw UsageError(file.string() +
                     " must hold one JSON object of option names and values, but "
                     "holds a value of type " +
                     values.type_name());
  }
  const std::string origin = file.string() + ": ";
  if (const auto text = values.find("description"); text != values.end()) {
    if (!text->is_string()) {
      throw UsageError(origin + "description must be a text, but is " + text->dump());
    }
    values.erase(text);
  }
  std::optional<std::vector<Json>> own_cells;
  if (const auto list = values.find("cells"); list != values.end()) {
    own_cells = checked_cells(*list, origin);
    values.erase(list);
  }
  add(values, origin);
  if (own_cells) {
    std::ranges::for_each(*own_cells, [this](const Json& cell) { note_source(cell); });
    explicit_cells_ = std::move(own_cells);
  }
}

void OptionLayers::note_source(const Json& values) {
  for (const auto& [name, value] : values.items()) {
    sources_[name] = source_count_;
  }
}

ExpandedOptions OptionLayers::expanded(const EnginesOfDevice& all) const {
  ExpandedOptions result;
  std::set<std::pair<Json, std::vector<std::string>>> seen;
  Tasks tasks;
  for (const Json& cell : explicit_cells_.value_or(std::vector<Json>{Json::object()})) {
    const Json whole = merged(general_, cell);
    const std::vector<std::string> devices = devices_of(whole);
    for (const Json& combination : combinations_of(without_parallel_devices(whole, devices))) {
      for (const Json& named : with_engines_named(combination, all)) {
        const Json values = tasks.without_absent_options(without_absent_axes(named, result.absent));
        if (seen.emplace(values, devices).second) {
          apply_options(result.cells.emplace_back(), values);
          result.cells.back().cell.devices = devices;
        }
      }
    }
  }
  tasks.refuse_absent_of_all(sources_);
  return result;
}

} // namespace sdbench

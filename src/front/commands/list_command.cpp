#include <algorithm>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/model_cost.h"
#include "sdbench/base/config/network_config.h"
#include "sdbench/base/config/preset_catalog.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/errors/suggestion.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/bench/worker_process.h"
#include "sdbench/front/commands/commands.h"
#include "sdbench/front/inventory/device_list.h"
#include "sdbench/front/inventory/engine_list.h"
#include "sdbench/front/options/arguments.h"
#include "sdbench/front/terminal/exit_code.h"
#include "sdbench/front/terminal/streams.h"
#include "sdbench/front/words/screen.h"
#include "sdbench/front/words/text_form.h"

namespace sdbench {
namespace {

using Row = std::vector<std::string>;

std::vector<ModelConfig> shipped_models() {
  return mapped(shipped_model_names(),
                [](const std::string& name) { return find_model_config(name); });
}

/// The licence without the remarks behind it.
std::string license_name(const ModelConfig& model) {
  return model.license.empty() ? "-" : model.license.substr(0, model.license.find(':'));
}

/// Floating-point operations of one image's forward pass. A multiply-accumulate counts as two.
double forward_flop(const ModelConfig& model) {
  return 2 * network_macs(*model.network);
}

nlohmann::ordered_json pipeline_json(const ModelConfig& model) {
  return {{"name", model.name},
          {"width", model.defaults.width},
          {"height", model.defaults.height},
          {"steps", model.defaults.steps},
          {"guidance", model.defaults.guidance},
          {"prediction_type", name_of(model.scheduler.prediction_type)},
          {"repositories", model.repositories},
          {"license", model.license}};
}

nlohmann::ordered_json network_json(const ModelConfig& model) {
  return {{"name", model.name},
          {"network", std::string(name_of(model.network->kind))},
          {"width", model.defaults.width},
          {"height", model.defaults.height},
          {"classes", model.network->classes},
          {"parameters", static_cast<std::int64_t>(network_parameters(*model.network))},
          {"forward_gflop", forward_flop(model) / 1e9},
          {"license", model.license}};
}

std::string json_text(const std::vector<ModelConfig>& models) {
  const nlohmann::ordered_json list = mapped(models, [](const ModelConfig& model) {
    return model.network ? network_json(model) : pipeline_json(model);
  });
  return list.dump(2) + "\n";
}

std::string size_of_images(const ModelConfig& model) {
  return std::to_string(model.defaults.width) + "x" + std::to_string(model.defaults.height);
}

Row pipeline_row(const ModelConfig& model) {
  return {model.name,
          size_of_images(model),
          std::to_string(model.defaults.steps),
          number_text(model.defaults.guidance),
          std::string(name_of(model.scheduler.prediction_type)),
          model.repositories.empty() ? "synthetic only" : model.repositories.front(),
          license_name(model)};
}

Row network_row(const ModelConfig& model) {
  return {model.name,
          std::string(name_of(model.network->kind)),
          size_of_images(model),
          std::to_string(model.network->classes),
          significant_text(network_parameters(*model.network) / 1e6),
          significant_text(forward_flop(model) / 1e9)};
}

std::string models_table(const std::vector<ModelConfig>& models, const Screen& screen) {
  std::vector<Row> pipelines = {
      {"MODEL", "SIZE (px)", "STEPS", "GUIDANCE", "PREDICTION", "USUAL WEIGHTS", "LICENSE"}};
  std::vector<Row> networks = {{"NETWORK", "KIND", "SIZE (px)", "CLASSES", "PARAMETERS (million)",
                                "FORWARD PASS (GFLOP per image)"}};
  for (const ModelConfig& model : models) {
    if (model.network) {
      networks.push_back(network_row(model));
    } else {
      pipelines.push_back(pipeline_row(model));
    }
  }
  return aligned_text(pipelines, screen) + "\n" + aligned_text(networks, screen);
}

std::string models_text(bool json, const Screen& screen, const ExecutorFactory& /*make_executor*/) {
  const auto models = shipped_models();
  return json ? json_text(models) : models_table(models, screen);
}

std::string presets_text(bool json, const Screen& screen,
                         const ExecutorFactory& /*make_executor*/) {
  const std::vector<Preset> presets = shipped_presets();
  if (json) {
    const nlohmann::ordered_json list = mapped(presets, [](const Preset& preset) {
      return nlohmann::ordered_json{{"name", preset.name},
                                    {"file", preset.file.string()},
                                    {"description", preset.description}};
    });
    return list.dump(2) + "\n";
  }
  std::vector<Row> rows = {{"PRESET", "WHAT IT MEASURES"}};
  for (const Preset& preset : presets) {
    rows.push_back({preset.name, preset.description});
  }
  return aligned_text(rows, screen);
}

/// A subject of `list`, its first argument.
struct Subject {
  std::string name;
  const char* description;
  std::string (*text)(bool json, const Screen& screen, const ExecutorFactory& make_executor);
};

const std::vector<Subject>& subjects() {
  static const std::vector<Subject> table = {
      {"models", "Lists the architectures that come with sdbench, with their defaults.",
       models_text},
      {"presets", "Lists the sweeps that come with sdbench, for --preset.", presets_text},
      {"devices", "Lists the GPUs and the processor, with their nominal rates.",
       [](bool json, const Screen& /*screen*/, const ExecutorFactory& make_executor) {
         return device_list_text(json, make_executor);
       }},
      {"engines",
       "Lists the choices of --engine, the devices here that each runs on, and its size on disk.",
       engine_list_text},
  };
  return table;
}

std::string subjects_text() {
  return help_section("Subjects", mapped(subjects(), [](const Subject& subject) {
                        return std::pair(subject.name, std::string(subject.description));
                      }));
}

const Subject& subject_of(const std::string& word) {
  constexpr const char* kAdvice = "; write sdbench list models";
  if (word.empty() || word.starts_with('-')) {
    throw UsageError(std::string("list must be followed by what to list") + kAdvice);
  }
  const auto found = std::ranges::find(subjects(), word, &Subject::name);
  if (found == subjects().end()) {
    throw UsageError(
        "list must be followed by models, presets, devices or engines, but is followed by " +
        in_quotes(word) + did_you_mean(word, mapped(subjects(), &Subject::name)));
  }
  return *found;
}

} // namespace

int list_command(const std::vector<std::string>& arguments, const Streams& streams,
                 const ExecutorFactory& make_executor) {
  const LeadingWord leading = leading_word(arguments);
  const Subject subject =
      leading.asks_for_help
          ? Subject{"SUBJECT", "Lists what comes with sdbench, or what this machine has.", nullptr}
          : subject_of(leading.word);
  CLI::App app(subject.description, "sdbench list " + subject.name);
  if (leading.asks_for_help) {
    app.footer(subjects_text());
  }
  const CLI::Option* format =
      add_text_option(app, "--format", "NAME", "table or json (table)", "Output");
  if (!parse_arguments(app, leading.rest, streams.out)) {
    return kExitSuccess;
  }
  const std::string name = format->results().empty() ? "table" : format->results().back();
  if (name != "table" && name != "json") {
    throw UsageError("--format must be table or json, but is " + in_quotes(name));
  }
  const std::string text = subject.text(name == "json", streams.screen(), make_executor);
  streams.out << (name == "json" ? text : streams.shown(text));
  return kExitSuccess;
}

} // namespace sdbench

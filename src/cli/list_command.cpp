#include "sdbench/cli/list_command.h"

#include <algorithm>

#include "sdbench/cli/arguments.h"
#include "sdbench/cli/exit_code.h"
#include "sdbench/config/model_config.h"
#include "sdbench/core/error.h"
#include "sdbench/core/in_quotes.h"
#include "sdbench/core/number_text.h"
#include "sdbench/core/suggestion.h"

namespace sdbench {
namespace {

using Row = std::vector<std::string>;

std::vector<ModelConfig> shipped_models() {
  std::vector<ModelConfig> models;
  for (const std::string& name : shipped_model_names()) {
    models.push_back(find_model_config(name));
  }
  return models;
}

const char* prediction_name(const ModelConfig& model) {
  return model.scheduler.prediction_type == PredictionType::kEpsilon ? "epsilon" : "v_prediction";
}

/// The licence without the remarks behind it.
std::string license_name(const ModelConfig& model) {
  return model.license.empty() ? "-" : model.license.substr(0, model.license.find(':'));
}

std::string json_text(const std::vector<ModelConfig>& models) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ModelConfig& model : models) {
    list.push_back({{"name", model.name},
                    {"width", model.defaults.width},
                    {"height", model.defaults.height},
                    {"steps", model.defaults.steps},
                    {"guidance", model.defaults.guidance},
                    {"prediction_type", prediction_name(model)},
                    {"repositories", model.repositories},
                    {"license", model.license}});
  }
  return list.dump(2) + "\n";
}

/// Columns as wide as their widest text, two blanks between.
std::string aligned(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], row[i].size());
    }
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i] + std::string(widths[i] - row[i].size() + 2, ' ');
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string table_text(const std::vector<ModelConfig>& models) {
  std::vector<Row> rows = {
      {"MODEL", "SIZE (px)", "STEPS", "GUIDANCE", "PREDICTION", "USUAL WEIGHTS", "LICENSE"}};
  for (const ModelConfig& model : models) {
    rows.push_back(
        {model.name,
         std::to_string(model.defaults.width) + "x" + std::to_string(model.defaults.height),
         std::to_string(model.defaults.steps), number_text(model.defaults.guidance),
         prediction_name(model),
         model.repositories.empty() ? "synthetic only" : model.repositories.front(),
         license_name(model)});
  }
  return aligned(rows);
}

/// `list` takes what to list as its first argument.
void check_subject(const std::vector<std::string>& arguments) {
  const std::vector<std::string> subjects = {"models"};
  if (arguments.empty()) {
    throw UsageError("list must be followed by what to list; write sdbench list models");
  }
  const std::string& subject = arguments.front();
  if (!subject.starts_with('-') && subject != subjects.front()) {
    throw UsageError("list must be followed by models, but is by " + in_quotes(subject) +
                     did_you_mean(subject, subjects));
  }
}

} // namespace

int list_command(const std::vector<std::string>& arguments, const Streams& streams) {
  check_subject(arguments);
  CLI::App app("Lists the architectures that come with sdbench, with their defaults.",
               "sdbench list models");
  const CLI::Option* format =
      add_text_option(app, "--format", "NAME", "table or json (table)", "Output");
  const bool names_subject = !arguments.front().starts_with('-');
  if (!parse_arguments(app, {arguments.begin() + (names_subject ? 1 : 0), arguments.end()},
                       streams.out)) {
    return kExitSuccess;
  }
  if (!names_subject) {
    throw UsageError("list must be followed by what to list; write sdbench list models");
  }
  const std::string name = format->results().empty() ? "table" : format->results().back();
  if (name != "table" && name != "json") {
    throw UsageError("--format must be table or json, but is " + in_quotes(name));
  }
  const auto models = shipped_models();
  streams.out << (name == "json" ? json_text(models) : table_text(models));
  return kExitSuccess;
}

} // namespace sdbench

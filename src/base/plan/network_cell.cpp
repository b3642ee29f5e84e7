#include "network_cell.h"

#include <cstdint>
#include <exception>
#include <vector>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/network_config.h"
#include "sdbench/base/config/other_engine_table.h"
#include "sdbench/base/config/run_config.h"
#include "sdbench/base/dataset/locate_data.h"
#include "sdbench/base/device/cuda_driver.h"
#include "sdbench/base/errors/checked_value.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/plan/engine_obstacle.h"
#include "sdbench/base/plan/resolve_model.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/own_engines.h"
#include "sdbench/base/types/task_table.h"

namespace sdbench {
namespace {

constexpr std::int64_t kUsualIterations = 20;
constexpr std::int64_t kMostIterations = 100'000;
constexpr std::int64_t kDataSize = 32; ///< pixels a side of CIFAR-10's images
constexpr std::int64_t kDataChannels = 3;
constexpr std::int64_t kDataClasses = 10;

std::string images_of_network(std::int64_t size, std::int64_t channels, std::int64_t classes) {
  return std::to_string(size) + "x" + std::to_string(size) + " with " +
         counted(channels, "channel") + " in " + std::to_string(classes) +
         (classes == 1 ? " class" : " classes");
}

/// Why an external engine cannot compute the network; empty if it can.
std::string obstacle_of_engine(const Cell& cell, const EngineRow& row) {
  if (row.networks) {
    return {};
  }
  auto able = mapped_if<std::string>(other_engine_table(), &EngineRow::networks, &EngineRow::name);
  able.insert(able.begin(), {std::string(kTunedEngine), std::string(kPlainEngine)});
  return "--engine must be " + listed(able, "or") + " for " + in_quotes(cell.model.name) +
         ", but is " + std::string(row.name);
}

/// An epoch is a run. The first of several is the cell's cold first run.
void fill_epochs(Cell& cell, const RunConfig& config) {
  if (config.loss != kCrossEntropy) {
    throw UsageError("--loss must be " + std::string(kCrossEntropy) + " with --epochs, but is " +
                     config.loss + ", from which nothing is learned; leave one of them out");
  }
  cell.epochs = *config.epochs;
  cell.data_on_device = config.data_place == "device";
  cell.repeat = has_first_run(cell) ? cell.epochs - 1 : cell.epochs;
  cell.warmup = 0;
  cell.max_noise.reset();
}

} // namespace

std::string task_obstacle(const Cell& cell, const RunConfig& config) {
  const ModelKind kind = kind_of(cell.model);
  if (row_of(cell.task).kind != kind) {
    return "--task must be " + listed(tasks_of(kind), "or") + " for " + in_quotes(cell.model.name) +
           ", but is " + config.task;
  }
  if (kind == ModelKind::kPipeline) {
    return {};
  }
  if (const EngineRow* const row = find_engine_row(cell.engine)) {
    if (std::string obstacle = obstacle_of_engine(cell, *row); !obstacle.empty()) {
      return obstacle;
    }
  } else if (is_surely_cpu(cell.device)) {
    if (std::string obstacle = cpu_training_obstacle(cell); !obstacle.empty()) {
      return obstacle;
    }
  }
  const NetworkConfig& network = cell.model.network.value();
  const bool fits = network.image_size == kDataSize && network.input_channels == kDataChannels &&
                    network.classes == kDataClasses;
  if (config.epochs && !fits) {
    return "--epochs must be given with a network for images of " +
           images_of_network(kDataSize, kDataChannels, kDataClasses) + ", but " +
           in_quotes(cell.model.name) + " is for " +
           images_of_network(network.image_size, network.input_channels, network.classes);
  }
  return {};
}

void fill_network_cell(Cell& cell, const RunConfig& config) {
  const std::int64_t iterations =
      in_range("--iterations", config.iterations.value_or(kUsualIterations), 1, kMostIterations);
  cell.width = cell.model.defaults.width;
  cell.height = cell.model.defaults.height;
  cell.steps = 1; // a batch is one iteration
  cell.images = cell.batch * iterations;
  cell.update = config.update == "on" || (config.update == "auto" && config.epochs);
  cell.loss = config.loss;
  cell.guidance = 0;
  cell.prompts.clear();
  if (config.epochs) {
    fill_epochs(cell, config);
  } else if (cell.task == Task::kTrain && cell.update && !cell.warmup) {
    cell.warmup = kFixedWarmups;
  }
}

void look_at_data(PlannedCell& planned, const RunConfig& config, ModelResolver& models) {
  Cell& cell = planned.cell;
  if (cell.epochs == 0) {
    return;
  }
  try {
    cell.data = locate_data(config.data);
    cell.images = models.train_count(cell.data);
  } catch (const Error& error) {
    if (error.blame() == Blame::kCommand) {
      throw;
    }
    cell.data = unread_data(config.data);
    cell.images = 0;
    if (planned.obstacle.empty()) {
      planned.obstacle = error.what();
      planned.unreadable = std::current_exception();
    }
  }
}

} // namespace sdbench

#include "same_cell.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "sdbench/base/config/run_options.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/front/reproduce/reproduction.h"

namespace sdbench {
namespace {

/// All options that may have led to the record. It has the outcome of options (the dtype that auto
/// chose, the number of threads), not the options.
std::vector<RunOptions> ways_to_ask(const RunOptions& options, const RunRecord& record) {
  std::vector<RunOptions> ways;
  for (const std::string& dtype : {options.cell.dtype, std::string("auto")}) {
    for (const std::int64_t threads : {options.cell.threads, record.threads.value_or(0)}) {
      ways.push_back(options);
      ways.back().cell.dtype = dtype;
      ways.back().cell.threads = threads;
    }
  }
  return ways;
}

} // namespace

SameCell same_cell(const RunRecord& record, const std::vector<DeviceInfo>& devices,
                   const RecordContext& context) {
  if (record.host != context.host) {
    return {{}, "it is of " + one_line(record.host) + ", and this is " + one_line(context.host)};
  }
  if (std::ranges::none_of(devices, [&](const DeviceInfo& device) {
        return env_id_of(device, context) == record.env_id;
      })) {
    return {{}, "its device, driver or operating system is not what this machine has now"};
  }
  try {
    const Reproduction plan = reproduction_of(record, devices, Json::object());
    if (!plan.remarks.empty()) {
      return {{}, plan.remarks.front()};
    }
    for (const RunOptions& way : ways_to_ask(plan.options, record)) {
      std::vector<SweepCell> cells = resolve_sweep({way});
      const Cell& cell = cells.front().planned.cell;
      if (cell_id_of(cell, context) == record.cell_id && !cell.weights.fallback &&
          cells.front().planned.obstacle.empty()) {
        cells.front().label = record.label;
        cells.front().tags = record.tags;
        cells.front().note = "confirms " + record.run_id;
        return {std::move(cells.front()), ""};
      }
    }
    return {{},
            "its model, weights, options or libtorch are not the ones that this program would use"};
  } catch (const Error& error) {
    return {{}, error.what()};
  }
}

} // namespace sdbench

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sdbench/base/device/machine_state.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/record/run_record.h"

namespace sdbench {

/// What a record says that neither the cell nor the worker knows.
struct RecordContext {
  // of this cell
  std::string run_id;
  std::string time_utc; ///< ISO 8601
  std::string label;
  std::string note;
  std::string tags;
  std::int64_t round = 1;
  std::int64_t restart = 1;
  std::string parallel_id; ///< of a parallel execution's rows
  // of this program
  std::string sweep_id;
  std::string sdbench_version;
  std::string git_sha;
  std::string runtime_version; ///< of the worker that is asked
  // of this machine
  std::string host;
  std::string cpu;
  std::int64_t core_count = 0;
  std::string core_list;  ///< "0-3,8"
  std::vector<int> cores; ///< see usable_cores: what shares are parts of
  std::int64_t memory_total_bytes = 0;
  MachineState machine;
  std::string cuda_visible_devices; ///< of the environment variables
  std::string cuda_device_order;    ///< likewise; of cells that may compute on a GPU
  std::string allocator_config;
  std::string openmp_config;      ///< "NAME=VALUE NAME=VALUE"
  std::string instruction_config; ///< likewise
  std::string preloaded;          ///< see preloaded_libraries
  std::string cuda_config;        ///< likewise; of cells that may compute on a GPU
};

/// The record of a cell, however it ended: a pure function. Rates and quantiles are defined in
/// docs/measuring.md; what was not measured is empty.
[[nodiscard]] RunRecord build_record(const Cell& cell, const CellOutcome& outcome,
                                     const RecordContext& context);

/// The ids that the rows of a cell on this machine will have, before it has run: cell_id, and
/// env_id on a device.
[[nodiscard]] std::string cell_id_of(const Cell& cell, const RecordContext& context);
[[nodiscard]] std::string env_id_of(const DeviceInfo& device, const RecordContext& context);

/// See the field prompt_sha256.
[[nodiscard]] std::string prompt_sha256(const Cell& cell);

} // namespace sdbench

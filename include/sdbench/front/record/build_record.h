#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sdbench/base/executor/executor.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/front/machine/machine_state.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// The values of a record that neither the cell nor the worker knows.
struct RecordContext {
  // of this cell
  std::string run_id;
  std::string time_utc; ///< ISO 8601
  std::string label;
  std::string note;
  std::string tags;
  std::int64_t round = 1;
  std::int64_t restart = 1;
  std::string parallel_id; ///< only in rows of a parallel execution
  // of this program
  std::string sweep_id;
  std::string sdbench_version;
  std::string git_sha;
  std::string runtime_version; ///< of the worker that runs the cell
  // of this machine
  std::string host;
  std::string cpu;
  std::int64_t core_count = 0;
  std::string core_list;  ///< "0-3,8"
  std::vector<int> cores; ///< see usable_cores; a share cpu:K is a part of these
  std::int64_t memory_total_bytes = 0;
  MachineState machine;
  std::string cuda_visible_devices; ///< the environment variable
  std::string cuda_device_order;    ///< of cells that may compute on a GPU
  std::string allocator_config;
  std::string openmp_config;      ///< environment variables: "NAME=VALUE NAME=VALUE"
  std::string instruction_config; ///< the same form
  std::string preloaded;          ///< see preloaded_libraries()
  std::string cuda_config;        ///< of cells that may compute on a GPU
};

/// The record of a cell, however it ended: a pure function. Rates and quantiles are defined in
/// docs/measuring.md; what was not measured is empty.
[[nodiscard]] RunRecord build_record(const Cell& cell, const CellOutcome& outcome,
                                     const RecordContext& context);

/// The cell_id and (on a device) the env_id that a cell's rows on this machine will have, known
/// before it runs.
[[nodiscard]] std::string cell_id_of(const Cell& cell, const RecordContext& context);
[[nodiscard]] std::string env_id_of(const DeviceInfo& device, const RecordContext& context);

/// See the field prompt_sha256.
[[nodiscard]] std::string prompt_sha256(const Cell& cell);

} // namespace sdbench

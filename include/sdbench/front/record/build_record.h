#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sdbench/base/executor/executor.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/front/machine/machine_state.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {

/// The values of a record that come from neither the cell's settings nor the worker's result.
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
  std::string runtime_version; ///< version of libtorch in the worker that runs the cell
  // of this machine
  std::string host;
  std::string cpu;
  std::int64_t core_count = 0;
  std::string core_list; ///< cores that this process may use: "0-3,8"
  /// The cores in core_list as numbers (see usable_cores); a device cpu:K uses a part of them.
  std::vector<int> cores;
  std::int64_t memory_total_bytes = 0;
  MachineState machine;
  std::string cuda_visible_devices; ///< value of CUDA_VISIBLE_DEVICES
  std::string cuda_device_order; ///< value of CUDA_DEVICE_ORDER; only for cells that may use a GPU
  std::string allocator_config;
  std::string openmp_config;      ///< environment variables for OpenMP: "NAME=VALUE NAME=VALUE"
  std::string instruction_config; ///< environment variables for CPU instructions, in the same form
  std::string preloaded;          ///< names of preloaded libraries, see preloaded_libraries()
  /// Environment variables for CUDA; only for cells that may use a GPU.
  std::string cuda_config;
};

/// Builds the record of a cell, whether it succeeded or failed. A pure function. docs/measuring.md
/// defines rates and quantiles. Fields without a measurement stay empty.
[[nodiscard]] RunRecord build_record(const Cell& cell, const CellOutcome& outcome,
                                     const RecordContext& context);

/// These compute ids before the cell runs: cell_id_of() for the cell's row on this machine,
/// env_id_of() for all rows of the device.
[[nodiscard]] std::string cell_id_of(const Cell& cell, const RecordContext& context);
[[nodiscard]] std::string env_id_of(const DeviceInfo& device, const RecordContext& context);

/// SHA-256 for the record's field prompt_sha256 (see docs/record.md).
[[nodiscard]] std::string prompt_sha256(const Cell& cell);

} // namespace sdbench

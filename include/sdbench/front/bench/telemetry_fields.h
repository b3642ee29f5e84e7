#pragma once

#include <optional>

#include "sdbench/front/record/run_record.h"
#include "sdbench/front/telemetry/summary.h"

namespace sdbench {

/// Fills the record's telemetry fields from a summary of its timed runs. energy_j is the energy of
/// the GPU, or of the processor for a cell on the CPU. j_per_image is filled only if the cell ended
/// with status ok and is_enough_for_image() is true. The energy of an interrupted cell would
/// include images that are not counted.
void fill_telemetry(RunRecord& record, const TelemetrySummary& measured);

/// Fills the energy fields of one device of a parallel execution; the execution's sum row adds them
/// up. `with_waits`: a summary that includes the time in which the device waited for the others.
void fill_parallel_energy(RunRecord& record, const TelemetrySummary& with_waits);

/// Fills the errors that the GPU's driver reported during the cell.
void fill_xids(RunRecord& record, const std::optional<Xids>& xids);

/// Clears the energy fields. Use this if the energy does not cover the same time span as the runs.
void clear_energy(RunRecord& record);

/// Adds NVML's facts about the GPU to those that the worker reported.
void fill_gpu_facts(RunRecord& record, const GpuFacts& gpu);

} // namespace sdbench

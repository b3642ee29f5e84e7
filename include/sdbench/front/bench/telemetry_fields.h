#pragma once

#include "sdbench/base/record/run_record.h"
#include "sdbench/base/telemetry/summary.h"

namespace sdbench {

/// The record's telemetry fields from the sensors' summary of the timed part. energy_j is the
/// GPU's, or on a CPU the processor's. j_per_image needs time or samples enough and a cell that
/// ended well: of an interrupted one the energy is of more than the images that are counted.
void fill_telemetry(RunRecord& record, const TelemetrySummary& measured);

/// Of a device of a parallel execution, from the summary of its timed part with all that it waited
/// since: the energies that the sum takes.
void fill_parallel_energy(RunRecord& record, const TelemetrySummary& with_waits);

/// No energy is better than one of other times.
void clear_energy(RunRecord& record);

/// What NVML knows of the GPU beside what the worker found out.
void fill_gpu_facts(RunRecord& record, const GpuFacts& gpu);

} // namespace sdbench

#pragma once

#include "sdbench/front/record/run_record.h"
#include "sdbench/front/telemetry/summary.h"

namespace sdbench {

/// Fills the record's telemetry fields from the summary of the timed part. energy_j is the GPU's,
/// or on a CPU the processor's. j_per_image needs enough time or samples, and a cell that ended
/// well: the energy of an interrupted cell includes images that are not counted.
void fill_telemetry(RunRecord& record, const TelemetrySummary& measured);

/// Fills the energies of one device of a parallel execution, which its sum adds up. The summary
/// includes the time that the device waited for others.
void fill_parallel_energy(RunRecord& record, const TelemetrySummary& with_waits);

/// Clears the energy fields: an energy of another time span would be worse than none.
void clear_energy(RunRecord& record);

/// Adds what NVML knows about the GPU to what the worker found out.
void fill_gpu_facts(RunRecord& record, const GpuFacts& gpu);

} // namespace sdbench

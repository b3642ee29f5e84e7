#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/telemetry/busy.h"
#include "sdbench/front/telemetry/sampler.h"

namespace sdbench {

/// Minimum, mean and maximum of the available readings; empty if there were no readings.
struct Spread {
  std::optional<double> min;
  std::optional<double> mean;
  std::optional<double> max;
};

/// Energy of a phase and its source.
struct Energy {
  std::optional<double> joules;
  std::string source; ///< "counter": a counter's difference; "integrated": power over time
};

/// Sensor readings during one phase of a cell.
struct TelemetrySummary {
  std::int64_t sample_count = 0;
  double seconds = 0; ///< how long the phase lasted
  // the GPU
  Spread load_percent;
  Spread sm_clock_hz;
  Spread memory_clock_hz;
  Spread temperature_c;
  std::optional<double> temperature_start_c; ///< first reading of the phase
  std::optional<double> temperature_rise_c;  ///< mean of its later half less that of its earlier
  Spread power_w;
  Spread fan_percent;
  Spread memory_used_bytes;
  Spread pcie_generation; ///< of the link in force
  Spread pcie_width;
  std::optional<std::uint64_t> throttle_reasons; ///< bits that were set at any time
  double throttled_share = 0;                    ///< of the samples, with a bit of kThrottledBits
  double power_capped_share = 0;                 ///< of the samples, with kPowerCapBit
  double held_back_rise = 0; ///< share with any of these bits: later half less the earlier
  Energy energy;
  /// Difference between the counter and the integrated power over the same time, relative to the
  /// greater one. Leaves out the first second of each visit of the phase. Nothing if less than 2 s
  /// remain.
  std::optional<double> energy_gap;
  std::string problem; ///< first failure of the GPU itself
  // the host
  std::optional<double> cpu_load_percent; ///< mean of all cores over the phase
  std::optional<OthersShare> others;      ///< what others had of the cores over the phase
  /// Share of the usable cores' time that a control group's quota held up.
  std::optional<double> cpu_throttled_percent;
  std::optional<double> cpu_pressure_percent; ///< of the phase: some thread waited for a core
  Spread cpu_clock_hz;
  Spread cpu_temperature_c;
  std::optional<double> cpu_temperature_rise_c; ///< as temperature_rise_c
  Spread worker_rss_bytes;
  Spread swap_used_bytes;
  std::optional<double> swap_traffic_bytes; ///< moved to swap and back over the phase
  Energy host_energy;
};

/// True if an energy from `source` over a phase of this length and sample count may be given per
/// image. A counter needs time, but no samples between the phase's ends. NVIDIA's counters are
/// updated every 20 to 100 ms and may lag by one update at each end, so at most a tenth of a second
/// is wrong. Power must be sampled often enough to form a curve.
[[nodiscard]] bool is_enough_for_image(std::string_view source, double seconds,
                                       std::int64_t sample_count);

/// Start of a phase of a cell, in seconds of the sampler's clock.
struct PhaseMark {
  double time_s = 0;
  std::string phase;
};

/// The samples, each with its phase according to the cell's own marks, in order of time. Cells that
/// run at the same time share the samples, but not the phases. Samples before the first mark are
/// "idle".
[[nodiscard]] std::vector<TelemetrySample> in_phases(std::vector<TelemetrySample> samples,
                                                     std::span<const PhaseMark> marks);

/// The samples, with all waiting (CellStage::kWait) since the phase first began counted as the
/// phase. The energy that a device of a parallel execution uses while it waits for the others
/// belongs to the whole.
[[nodiscard]] std::vector<TelemetrySample> with_waits(std::span<const TelemetrySample> samples,
                                                      std::string_view phase);

/// Only the samples of the phase.
[[nodiscard]] std::vector<TelemetrySample> of_phase(std::span<const TelemetrySample> samples,
                                                    std::string_view phase);

/// The samples, with the resident memory of all workers replaced by this worker's if it is known.
[[nodiscard]] std::vector<TelemetrySample> of_worker(std::vector<TelemetrySample> samples,
                                                     std::int64_t worker_process);

/// Summary of `phase` in the samples of one cell, in order of time. `gpu` is an index into
/// SensorReadings::gpus, or nothing for a cell without a GPU. Energy is the counter's difference
/// from the phase's first sample to the next phase's first one. Without a counter, it is power
/// integrated by trapezoids over the same time. It is empty if any reading that it needs is
/// missing, or if the phase is shorter than the counter's step (0.1 s) or than the window over
/// which power is averaged (1 s). A pure function.
[[nodiscard]] TelemetrySummary summarise(std::span<const TelemetrySample> samples,
                                         std::string_view phase, std::optional<std::size_t> gpu);

/// Growth of the host's used memory, in bytes, after the GPU had hardly any memory free: data that
/// the driver moves there for lack of room. Nothing if the GPU always had free memory or does not
/// report it.
[[nodiscard]] std::optional<std::int64_t> spilled_bytes(std::span<const TelemetrySample> samples,
                                                        std::size_t gpu,
                                                        std::int64_t memory_total_bytes);

/// Bytes that the host moved to swap and back from the first sample to the last; nothing if it is
/// not reported.
[[nodiscard]] std::optional<std::int64_t> swap_traffic(std::span<const TelemetrySample> samples);

} // namespace sdbench

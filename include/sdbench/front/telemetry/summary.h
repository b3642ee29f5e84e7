#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/front/telemetry/busy.h"
#include "sdbench/front/telemetry/sensor_sampler.h"

namespace sdbench {

/// Minimum, mean and maximum of a sensor's readings; all empty if there were none.
struct Spread {
  std::optional<double> min;
  std::optional<double> mean;
  std::optional<double> max;
};

/// Energy used during a phase, and how it was found.
struct Energy {
  std::optional<double> joules;
  /// "counter": difference of a counter; "integrated": power integrated over time.
  std::string source;
};

/// Summary of the sensor readings during one phase of a cell.
struct TelemetrySummary {
  std::int64_t sample_count = 0;
  double seconds = 0; ///< duration of the phase
  // the GPU
  Spread load_percent;
  Spread sm_clock_hz;
  Spread memory_clock_hz;
  Spread temperature_c;
  std::optional<double> temperature_start_c; ///< first reading in the phase
  /// Mean of the phase's later half minus mean of its earlier half.
  std::optional<double> temperature_rise_c;
  Spread power_w;
  Spread fan_percent;
  Spread memory_used_bytes;
  Spread pcie_generation; ///< generation that the link used
  Spread pcie_width;
  std::optional<double> pcie_replays;            ///< transfers that the link repeated in the phase
  std::optional<std::uint64_t> throttle_reasons; ///< bits that were set in any sample
  double throttled_share = 0;    ///< fraction of samples with any of kThrottledBits set
  double power_capped_share = 0; ///< fraction of samples with kPowerCapBit set
  /// Fraction of samples with kPowerCapBit or any of kThrottledBits set in the phase's later half,
  /// minus the same fraction in its earlier half.
  double held_back_rise = 0;
  Energy energy;
  /// Difference between the energies from the counter and from integrated power, relative to the
  /// greater one. Each time the phase is entered, the first second is left out. nullopt if less
  /// than 2 s remain.
  std::optional<double> energy_gap;
  // the host
  std::optional<double> cpu_load_percent; ///< mean over all cores and the phase
  std::optional<OthersShare> others;      ///< use of the cores by other programs in the phase
  /// Time for which a control group's quota stopped threads, as a percentage of the usable cores'
  /// time.
  std::optional<double> cpu_throttled_percent;
  /// Percentage of the phase during which some thread waited for a core.
  std::optional<double> cpu_pressure_percent;
  Spread cpu_clock_hz;
  Spread cpu_temperature_c;
  std::optional<double> cpu_temperature_rise_c; ///< computed like temperature_rise_c
  /// Times that heat slowed the processor down; see HostReading::thermal_events.
  std::optional<double> thermal_events;
  Spread fan_rpm;
  Spread other_temperature_c;
  std::string other_sensor; ///< where other_temperature_c was highest
  Spread worker_rss_bytes;
  Spread swap_used_bytes;
  std::optional<double> swap_traffic_bytes; ///< bytes moved to swap and back during the phase
  Energy host_energy;
};

/// True if the energy of a phase is accurate enough for a figure per image.
/// - An energy from a counter needs a phase of at least 1 s; samples at its two ends are enough.
///   NVIDIA's counters are updated every 20 to 100 ms and may lag by one update at each end, so the
///   error is at most the energy used in a tenth of a second.
/// - An energy from integrated power needs at least 10 samples, so that they form a curve.
[[nodiscard]] bool is_enough_for_image(std::string_view source, double seconds,
                                       std::int64_t sample_count);

/// When a phase of a cell started, in seconds of the sampler's clock.
struct PhaseMark {
  double time_s = 0;
  std::string phase;
};

/// Returns the samples with the phases that one cell's marks set. Samples and marks must be in
/// order of time. Cells that run at the same time share the samples, but not the phases. Samples
/// before the first mark are "idle".
[[nodiscard]] std::vector<TelemetrySample> in_phases(std::vector<TelemetrySample> samples,
                                                     std::span<const PhaseMark> marks);

/// Returns the samples. After the first sample of `phase`, samples in which the cell waits
/// (CellStage::kWait) are relabelled as `phase`. The energy of `phase` then includes what a
/// device of a parallel execution uses while it waits for the others.
[[nodiscard]] std::vector<TelemetrySample> with_waits(std::span<const TelemetrySample> samples,
                                                      std::string_view phase);

/// Returns only the samples of `phase`.
[[nodiscard]] std::vector<TelemetrySample> of_phase(std::span<const TelemetrySample> samples,
                                                    std::string_view phase);

/// Returns the samples with `worker_rss_bytes` of this worker alone instead of all workers. A
/// sample without this worker's memory stays unchanged.
[[nodiscard]] std::vector<TelemetrySample> of_worker(std::vector<TelemetrySample> samples,
                                                     std::int64_t worker_process);

/// Summarises `phase` from the samples of one cell, in order of time. A pure function. `gpu` is an
/// index into SensorReadings::gpus, or nullopt for a cell without a GPU. The energy covers the time
/// from the phase's first sample to the next phase's first sample:
/// - the difference of a counter, if the phase lasts at least the counter's update interval (0.1 s)
/// - else power integrated by trapezoids, if the phase lasts at least the window over which power
///   is averaged (1 s)
/// - else empty; a method is also skipped if it needs a reading that is missing
[[nodiscard]] TelemetrySummary summarise(std::span<const TelemetrySample> samples,
                                         std::string_view phase, std::optional<std::size_t> gpu);

/// Estimates how much data the driver moved to the host because the GPU's memory was full. This is
/// the growth, in bytes, of the host's used memory after the GPU had hardly any memory free.
/// nullopt if the GPU never ran short of memory, or does not report its free memory.
[[nodiscard]] std::optional<std::int64_t> spilled_bytes(std::span<const TelemetrySample> samples,
                                                        std::size_t gpu,
                                                        std::int64_t memory_total_bytes);

/// The first failure of the GPU as a whole in any of the samples: "GPU is lost". Empty if it did
/// not fail.
[[nodiscard]] std::string gpu_problem(std::span<const TelemetrySample> samples, std::size_t gpu);

/// Errors of a GPU that its driver reported.
struct Xids {
  std::int64_t count = 0;
  std::optional<std::int64_t> last; ///< NVIDIA's number of the latest one
};

/// The Xids between the first sample and the last. nullopt if NVML does not report them.
[[nodiscard]] std::optional<Xids> xids_in(std::span<const TelemetrySample> samples,
                                          std::size_t gpu);

/// Bytes that the host moved to swap and back between the first sample and the last. nullopt if the
/// system does not report them.
[[nodiscard]] std::optional<std::int64_t> swap_traffic(std::span<const TelemetrySample> samples);

} // namespace sdbench

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/measured_figure_table.h"

namespace sdbench {

/// Version of the record's schema. It increases with each release that adds or renames a field, or
/// changes a field's meaning.
inline constexpr std::int64_t kSchemaVersion = 4;
inline constexpr std::int64_t kOldestSchemaVersion = 4; ///< oldest version that can be read

/// Values of RunRecord::parallel_role.
inline constexpr const char* kRoleDevice = "device"; ///< row of one device in a parallel execution
inline constexpr const char* kRoleSum = "sum";       ///< sum row: all devices together

/// The result of one cell, which is one combination of settings: a row of a results file. Plain
/// data in SI units. An empty optional or string is an empty field and never means zero.
/// record_fields() and docs/record.md give names, units and meanings of the fields.
struct RunRecord : Measured {
  // identity
  std::int64_t schema_version = kSchemaVersion;
  std::string run_id;      ///< random, unique to this row
  std::string workload_id; ///< hash of what was computed; comparisons have one column per workload
  std::string variant_id;  ///< hash of the requested way to compute it: dtype, engine and so on
  std::string env_id;      ///< hash of device, driver, OS and host hardware
  std::string cell_id;     ///< hash of workload, variant and device
  std::string time_utc;    ///< ISO 8601, start of the cell
  std::string host;
  std::string label;
  std::string note;
  std::string tags;
  std::string sdbench_version;
  std::string git_sha; ///< commit of the sources; "-dirty" at the end: uncommitted changes
  std::string engine;
  std::int64_t engine_revision = 1;
  /// Version of the library that computed: libtorch for our own engines.
  std::string runtime_version;
  // sweep
  std::string sweep_id;     ///< random, the same in all rows of one program call
  std::int64_t round = 1;   ///< number of the round (--rounds), counted from 1
  std::int64_t restart = 1; ///< number of the fresh worker (--restarts), counted from 1
  // parallel execution: empty in other rows
  std::string parallel_id;   ///< run_id of the execution's sum row
  std::string parallel_role; ///< "device" or "sum"
  std::optional<std::int64_t> parallel_devices;
  std::string share; ///< how devices share the work: "prompts", "batch", "each"
  std::optional<double> scaling_efficiency; ///< only in the sum row
  /// Only in the sum row: sum of the rates that the devices had when each ran alone.
  std::optional<double> alone_images_per_min;
  /// Only in a GPU's row: energy_j plus the energy used while waiting for other devices.
  std::optional<double> parallel_energy_j;
  // what was asked for, where another field holds what resulted from it; empty if unknown
  std::string asked_dtype;                   ///< "auto" or a number format
  std::optional<std::int64_t> asked_threads; ///< 0: the program chooses
  std::string asked_devices;                 ///< devices of the parallel execution, joined by "+"
  std::string asked_libtorch;                ///< folder name of the requested worker
  // device
  std::string device; ///< as requested; in a sum row all devices, joined by "+"
  /// "K/N" for a device cpu:K: part K of N equal parts of the cores. "0/2" is the first half.
  std::string cpu_share;
  std::string device_kind;
  std::string device_name;
  std::string device_arch;
  std::string compute_capability;
  std::string driver_version;
  // workload
  std::string task; ///< empty: images from prompts
  std::string model;
  std::string weights;
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::int64_t steps = 0;
  std::int64_t batch = 0;
  std::int64_t images = 0;
  /// Only for training: "on" if an iteration includes the optimiser's step, else "off".
  std::string weight_update;
  std::string loss;                   ///< only for training: "logit-sum"; empty: cross entropy
  std::optional<std::int64_t> epochs; ///< requested number; only for training with epochs
  std::string data;                   ///< "cifar10", "synthetic:50000"
  std::string data_place;             ///< "host" or "device"
  double guidance = 0;
  std::optional<std::int64_t> clip_skip; ///< number of final text-encoder layers skipped; empty: 0
  std::uint64_t seed = 0;
  std::string scheduler;    ///< the sampler that ran: "euler"
  std::string noise_levels; ///< "training" or "karras"; empty: no sampler is used
  std::string scheduler_source;
  std::string timestep_spacing;
  std::string prompt_sha256;
  std::string dtype_unet;
  std::string dtype_vae;
  std::string dtype_text;
  std::string attention;
  std::string attention_used;
  std::optional<std::int64_t> threads;
  // axes of the engine
  std::string memory_format;
  std::string memory_format_used;
  std::string packed_weights;
  std::string packed_weights_used;
  std::string host_allocator;
  std::string host_allocator_used;
  std::string kv_cache;
  std::string kv_cache_used;
  std::string time_cache;
  std::string shared_prefix;
  std::string time_cache_used;
  std::string shared_prefix_used;
  std::string graphs;
  std::string graphs_used;
  std::string graphs_obstacle;
  std::string kernels;
  std::string kernels_used;
  std::string kernels_obstacle;
  std::string tf32;              ///< "off", "on" or "conv"
  std::string tf32_used;         ///< the value in effect; empty until the device is known
  std::string fp16_accumulation; ///< "on"; empty: off
  std::string cudnn_benchmark;
  std::string offload;
  std::string vae_tiling;
  std::string dynamic_shapes;
  // outcome
  std::string status;
  std::string flags; ///< separated by blanks
  std::string error; ///< one line: where the cell failed, and the message
  // outcome: the failure's place and last words
  std::string stage;
  std::string stderr_tail; ///< last lines of the worker's error output
  /// Number of untimed batches after the first image; empty if the worker did not report it.
  std::optional<std::int64_t> warmup;
  std::int64_t repeat = 0; ///< number of completed timed runs
  // times
  std::optional<double> load_s;
  std::optional<double> prepare_s;
  std::optional<double> first_image_s;
  std::optional<double> first_image_it_s;
  /// text_s, unet_s, vae_s, all_reduce_s and e2e_s are means over the timed runs.
  std::optional<double> text_s;
  std::optional<double> unet_s;
  std::optional<double> vae_s;
  std::optional<double> all_reduce_s; ///< only for a device that shares a batch with others
  std::optional<double> e2e_s;
  std::optional<double> step_s_mean;
  std::optional<double> step_s_sd;
  std::optional<double> step_s_p50;
  std::optional<double> step_s_p90;
  std::optional<double> step_s_p99; ///< empty below 100 samples
  // statistics: the spread of steps and runs
  std::optional<std::int64_t> step_count;
  std::optional<double> step_s_min;
  std::optional<double> step_s_max;
  std::optional<double> text_s_median;
  std::optional<double> text_s_min;
  std::optional<double> text_s_max;
  std::optional<double> text_s_sd;
  std::optional<double> unet_s_median;
  std::optional<double> unet_s_min;
  std::optional<double> unet_s_max;
  std::optional<double> unet_s_sd;
  std::optional<double> vae_s_median;
  std::optional<double> vae_s_min;
  std::optional<double> vae_s_max;
  std::optional<double> vae_s_sd;
  std::optional<double> e2e_s_median;
  std::optional<double> e2e_s_min;
  std::optional<double> e2e_s_max;
  std::optional<double> e2e_s_sd;
  std::optional<double> e2e_s_median_excl_first;
  std::optional<double> epoch_s_first;  ///< time of the first epoch
  std::optional<double> epoch_s_median; ///< median time of the later epochs
  std::optional<double> train_s;        ///< time of all epochs together
  // rates
  std::optional<double> unet_it_s;
  std::optional<double> s_per_it;
  std::optional<double> e2e_it_s;
  std::optional<double> images_per_min;
  std::optional<double> images_per_s; ///< only for networks: input images per second
  /// Mean of the runs' rates, as some authors publish it; never below images_per_min.
  std::optional<double> images_per_min_mean_of_runs;
  std::optional<double> megapixels_per_s;
  /// Nominal TFLOP of one iteration of the whole batch, guidance included.
  std::optional<double> unet_tflop;
  std::optional<double> achieved_tflops;
  std::optional<double> of_measured_peak_percent;
  // statistics: how sure it is
  std::string ci95_covers; ///< "within-run" or "between-runs"
  std::optional<std::int64_t> ci95_count;
  std::optional<double> unet_it_s_ci95_low;
  std::optional<double> unet_it_s_ci95_high;
  std::optional<double> images_per_min_ci95_low;
  std::optional<double> images_per_min_ci95_high;
  std::optional<double> noise; ///< relative standard error of the mean e2e_s
  std::optional<std::int64_t> step_outliers;
  std::optional<std::int64_t> run_outliers;
  std::optional<double> drift;
  std::optional<double> drift_p;
  // quality: rows of `sdbench quality`, which have no times
  std::string quality_reference;      ///< description of the images that served as the reference
  std::optional<double> psnr_db_mean; ///< empty if all images equal the reference
  std::optional<double> psnr_db_min;
  std::optional<double> ssim_mean;
  std::optional<double> ssim_min;
  std::optional<double> latents_nmse;
  // environment (telemetry part)
  std::string device_uuid;
  std::string device_pci_address;
  std::optional<std::int64_t> device_index; ///< the N of --device cuda:N
  std::optional<std::int64_t> sm_count;
  std::optional<std::int64_t> device_memory_bytes;
  std::optional<std::int64_t> device_memory_free_bytes; ///< before the model was loaded
  std::string ecc;
  std::string mig;
  std::optional<std::int64_t> pcie_generation;
  std::optional<std::int64_t> pcie_width;
  std::string vbios_version;
  std::string board_id;
  std::string board_vendor;
  std::optional<std::int64_t> bar1_bytes;
  std::optional<double> power_limit_w_default;
  std::optional<double> power_limit_w_least;
  std::optional<double> power_limit_w_greatest;
  std::string kernel_module; ///< of the GPU's driver: "open" or "closed"
  std::string persistence_mode;
  std::string gpu_virtualisation;
  std::string external_link;
  std::string cuda_driver_version;
  std::string cuda_runtime_version;
  std::string cudnn_version;
  std::string gpu_processes; ///< "none", "unknown", or ids and names of other programs' processes
  std::string os;
  std::string kernel;
  std::string cpu;
  std::optional<std::int64_t> core_count;
  std::string core_list;
  std::optional<std::int64_t> host_memory_bytes;
  std::string governor;
  std::optional<std::int64_t> memory_high_bytes;
  std::string transparent_huge_pages;
  std::string numa_balancing;
  std::string core_kinds; ///< "performance 0-15, efficiency 16-23"
  std::string preloaded;  ///< names of libraries: "libjemalloc.so.2"
  std::string power_supply;
  std::string container;
  std::string slurm_job;
  std::string slurm_node;
  std::string slurm_partition;
  std::string slurm_sharing;
  std::string cuda_visible_devices;
  std::string cuda_device_order;
  std::string allocator_config;
  std::string openmp_config;
  std::string instruction_config;
  std::string cuda_config;
  // telemetry: the sensors during the timed part
  std::optional<std::int64_t> telemetry_samples;
  std::optional<double> gpu_load_percent_min;
  std::optional<double> gpu_load_percent_mean;
  std::optional<double> gpu_load_percent_max;
  std::optional<double> sm_clock_hz_min;
  std::optional<double> sm_clock_hz_mean;
  std::optional<double> sm_clock_hz_max;
  std::optional<double> memory_clock_hz_min;
  std::optional<double> memory_clock_hz_mean;
  std::optional<double> memory_clock_hz_max;
  std::optional<double> temperature_c_start;
  std::optional<double> temperature_c_mean;
  std::optional<double> temperature_c_max;
  std::optional<double> power_w_idle;
  std::optional<double> power_w_min;
  std::optional<double> power_w_mean;
  std::optional<double> power_w_max;
  std::optional<double> power_limit_w;
  std::optional<double> fan_percent_max;
  std::optional<std::int64_t> device_memory_used_max_bytes;
  std::optional<std::int64_t> pcie_generation_used;
  std::optional<std::int64_t> pcie_width_used;
  std::optional<std::int64_t> pcie_replays;
  std::optional<std::int64_t> xid_count;
  std::optional<std::int64_t> xid_last;
  std::string throttle_reasons;
  std::optional<double> energy_j;
  std::string energy_source; ///< "counter" or "integrated"
  std::optional<double> j_per_image;
  std::optional<double> host_energy_j;
  std::optional<double> cpu_load_percent;
  std::optional<double> foreign_cpu_percent_mean;
  std::optional<double> foreign_cpu_percent_max;
  std::optional<double> steal_percent;
  std::optional<double> cpu_throttled_percent;
  std::optional<double> cpu_pressure_percent;
  std::string busy_programs; ///< "cc1plus 184 %, ninja 7 %"; only if the row has the flag "busy"
  std::optional<double> cpu_clock_hz_min;
  std::optional<double> cpu_clock_hz_mean;
  std::optional<double> cpu_clock_hz_max;
  std::optional<double> cpu_temperature_c_max;
  std::optional<std::int64_t> cpu_thermal_events;
  std::optional<double> fan_rpm_max;
  std::optional<double> other_temperature_c_max;
  std::string other_temperature_sensor; ///< "nvme", "spd5118"
  std::optional<std::int64_t> worker_rss_max_bytes;
  std::optional<std::int64_t> swap_used_max_bytes;
  std::optional<std::int64_t> swap_traffic_bytes;
  // probe: what the device can do, whatever runs on it
  std::string probe_format; ///< "fp16", "tf32"
  std::optional<double> probe_product_tflops;
  std::optional<double> probe_copy_gb_s;
  std::optional<double> probe_h2d_gb_s;
  std::optional<double> probe_drift_percent;
  // raw samples: JSON and JSONL only
  std::optional<RunSample> first_image;
  std::vector<RunSample> samples;
  std::optional<PartialRun> partial_run;
};

} // namespace sdbench

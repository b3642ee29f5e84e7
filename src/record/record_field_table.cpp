#include "sdbench/record/record_fields.h"

#include <span>

#include "sdbench/record/run_record.h"

// The one table of fields: names, units and meanings. Columns stand in this order. docs/record.md
// and configs/record.schema.json repeat it, and tests hold them to it.

namespace sdbench {
namespace {

using R = RunRecord;

const RecordField kFields[] = {
    // identity
    {"schema_version", "", "Version of this list of fields.", &R::schema_version},
    {"run_id", "", "Random name of this row.", &R::run_id},
    {"workload_id", "",
     "Hash of what was computed: model, size, steps, batch, images, guidance, scheduler and "
     "spacing. Only rows with the same one may be compared by it/s.",
     &R::workload_id},
    {"variant_id", "",
     "Hash of how it was asked for: dtype, engine, attention, threads, axes of the engine, "
     "libtorch version, what steers OpenMP's threads, limits instructions or changes CUDA's ways, "
     "and "
     "the devices that ran together.",
     &R::variant_id},
    {"env_id", "", "Hash of where it ran: device, driver, operating system and host hardware.",
     &R::env_id},
    {"cell_id", "", "Hash of workload, variant and the device asked for.", &R::cell_id},
    {"time_utc", "", "Start of the cell, ISO 8601 in UTC.", &R::time_utc},
    {"host", "", "Name of the machine.", &R::host},
    {"label", "", "The text of --label.", &R::label},
    {"note", "", "The text of --note.", &R::note},
    {"sdbench_version", "", "Version of sdbench.", &R::sdbench_version},
    {"git_sha", "", "Commit that sdbench was built from, with -dirty if files had been changed.",
     &R::git_sha},
    {"engine", "", "How the network is computed: plain is ATen operators one after the other.",
     &R::engine},
    {"engine_revision", "", "Raised whenever a change of the engine alters its speed.",
     &R::engine_revision},
    {"libtorch_version", "", "Version of the libtorch that computed.", &R::libtorch_version},
    // sweep
    {"sweep_id", "", "Random name of the call of sdbench that made this row, with all its others.",
     &R::sweep_id},
    {"round", "", "Which of the rounds of --rounds, from 1.", &R::round},
    {"restart", "", "Which of the fresh workers of --restarts, from 1.", &R::restart},
    // parallel execution
    {"parallel_id", "",
     "Name of the parallel execution (--parallel) that the row belongs to: the run_id of its sum "
     "row; empty in the rows of cells that ran alone, like the next six.",
     &R::parallel_id},
    {"parallel_role", "", "device: one device's part; sum: all devices together.",
     &R::parallel_role},
    {"parallel_devices", "", "Devices that ran together.", &R::parallel_devices},
    {"share", "", "prompts: the devices shared a run's images; each: every one made all of them.",
     &R::share},
    {"scaling_efficiency", "",
     "Of a sum row: images_per_min by parallel_devices times alone_images_per_min; 1 is perfect.",
     &R::scaling_efficiency},
    {"alone_images_per_min", "1/min",
     "Of a sum row: images_per_min of the first device alone, which ran just before with the same "
     "round and restart, or of its latest good row that --resume found.",
     &R::alone_images_per_min},
    {"parallel_energy_j", "J",
     "Of a GPU's row in a parallel execution: the energy from its first timed run to when all "
     "devices had made their last, with what it waited for them; the sum's energy_j adds these up.",
     &R::parallel_energy_j},
    // device
    {"device", "",
     "The device asked for: auto, cpu, cpu:K, cuda or cuda:N; of a sum row all of them with + "
     "between.",
     &R::device},
    {"cpu_share", "",
     "K/N of a cpu:K: share K, from 0, of N equal ones of the cores; empty: all of them.",
     &R::cpu_share},
    {"device_kind", "", "cpu or cuda.", &R::device_kind},
    {"device_name", "", "Name of the GPU or of the processor.", &R::device_name},
    {"device_arch", "",
     "Generation of the GPU, or the widest vector instructions of the processor.", &R::device_arch},
    {"compute_capability", "", "CUDA compute capability of the GPU.", &R::compute_capability},
    {"driver_version", "",
     "Version of the GPU's driver; where it cannot be read, the newest CUDA that it takes.",
     &R::driver_version},
    // workload
    {"model", "", "Name of the architecture.", &R::model},
    {"weights", "", "Identity of the weights: synthetic:SEED, or the checkpoint's.", &R::weights},
    {"weights_dtype", "",
     "Number formats that the checkpoint's tensors are stored in, most bytes first, joined by +; "
     "empty: synthetic.",
     &R::weights_dtype},
    {"weights_ignored", "",
     "Tensors of the checkpoint that no part of the model uses, by the start of their names and "
     "with their number.",
     &R::weights_ignored},
    {"width", "px", "Width of an image.", &R::width},
    {"height", "px", "Height of an image.", &R::height},
    {"steps", "", "Scheduler steps of an image.", &R::steps},
    {"unet_calls", "", "UNet calls of one batch.", &R::unet_calls},
    {"batch", "", "Images that are computed together.", &R::batch},
    {"images", "", "Images of one run, in batches.", &R::images},
    {"guidance", "", "Guidance scale; above 1 the UNet sees twice the batch.", &R::guidance},
    {"seed", "", "Seed of the first image's noise; image i has seed + i.", &R::seed},
    {"scheduler", "", "The sampler that ran: euler or euler_karras.", &R::scheduler},
    {"scheduler_source", "",
     "Scheduler class that the model names; its settings are converted as diffusers does. Where it "
     "is none that Euler can stand in for (LCMScheduler, say), --scheduler euler was given.",
     &R::scheduler_source},
    {"timestep_spacing", "", "leading, linspace or trailing.", &R::timestep_spacing},
    {"prompt_sha256", "",
     "SHA-256 of the prompts, one a line, and the negative prompt after a zero byte if there is "
     "one.",
     &R::prompt_sha256},
    {"dtype_unet", "",
     "Number format of the UNet, autocast- before it where only some operators use it; of a cell "
     "that never loaded, the one asked for.",
     &R::dtype_unet},
    {"dtype_vae", "", "Number format of the VAE decoder.", &R::dtype_vae},
    {"dtype_text", "", "Number format of the text encoders.", &R::dtype_text},
    {"attention", "", "Attention kernel asked for.", &R::attention},
    {"attention_used", "",
     "Attention kernel that the UNet's self-attention used; where its levels differ, each: "
     "`cudnn+flash`.",
     &R::attention_used},
    {"threads", "", "Threads of libtorch inside an operator.", &R::threads},
    // axes of the engine
    {"memory_format", "",
     "Order of an image's numbers in UNet and VAE that was asked for: auto, contiguous or "
     "channels-last.",
     &R::memory_format},
    {"memory_format_used", "",
     "The order that they had; where the VAE had another than the UNet, both: "
     "`channels-last+contiguous`.",
     &R::memory_format_used},
    {"packed_weights", "",
     "auto, winograd, onednn or off: whose kernels a CPU's weights were to be put in order for, "
     "once, at the load; in older rows also own.",
     &R::packed_weights},
    {"packed_weights_used", "",
     "off, onednn, winograd (oneDNN's, but 3x3 convolutions in fp32 in Winograd's form); in older "
     "rows also the instructions of our kernels in the usual form: avx2, avx512, avx512_bf16, amx.",
     &R::packed_weights_used},
    {"fused", "",
     "In older rows alone: auto, on or off, whether sums and activations were to be computed "
     "within "
     "the layer before them.",
     &R::fused},
    {"fused_used", "", "In older rows alone: on or off, whether they were.", &R::fused_used},
    {"host_allocator", "",
     "What was asked for, auto, system or caching: whether memory that an operator freed stays "
     "with the process for the next one.",
     &R::host_allocator},
    {"host_allocator_used", "", "system or caching: which it was.", &R::host_allocator_used},
    {"kv_cache", "",
     "auto, on or off: whether the keys and values that cross-attention makes of the text were to "
     "be computed once a prompt instead of in each step.",
     &R::kv_cache},
    {"kv_cache_used", "", "on or off: whether they were.", &R::kv_cache_used},
    {"time_cache", "",
     "auto, on or off: whether what time adds in the UNet was to be computed for all steps at "
     "once, before the first.",
     &R::time_cache},
    {"time_cache_used", "", "on or off: whether it was.", &R::time_cache_used},
    {"shared_prefix", "",
     "auto, on or off: whether the UNet was to compute what comes before its first look at the "
     "text once for both halves of guidance.",
     &R::shared_prefix},
    {"shared_prefix_used", "",
     "on or off: whether it did; off without guidance, and for SDXL, whose time embedding holds "
     "the text too.",
     &R::shared_prefix_used},
    {"graphs", "",
     "auto, on, off or loop: whether a GPU was to get each of the UNet's calls (on) or all steps "
     "of "
     "a run (loop) as one CUDA graph, instead of kernel by kernel.",
     &R::graphs},
    {"graphs_used", "", "on, off or loop: what it got, in every timed run.", &R::graphs_used},
    {"graphs_obstacle", "",
     "Why that is less than it was to get; empty where it got that, or was to get none.",
     &R::graphs_obstacle},
    {"kernels", "",
     "auto, own or aten: whose kernels were to compute group norm with SiLU, GEGLU and, on a GPU, "
     "sums with layer norm and the scheduler's steps.",
     &R::kernels},
    {"kernels_used", "", "own or aten: whose did.", &R::kernels_used},
    {"kernels_obstacle", "", "Why not this project's own, where they were to; else empty.",
     &R::kernels_obstacle},
    {"tf32", "",
     "off, on or conv: which products of fp32 were allowed to be TF32's: none, all, or those of "
     "convolutions.",
     &R::tf32},
    {"tf32_used", "",
     "The same where the device has TF32 and some stage computed in fp32; else off.",
     &R::tf32_used},
    {"cudnn_benchmark", "", "on or off: whether cuDNN tried its algorithms; a CPU has none.",
     &R::cudnn_benchmark},
    {"offload", "", "none, or stages: text encoder, UNet and VAE took turns on the device.",
     &R::offload},
    {"vae_tiling", "", "on or off: whether large images were to be decoded in tiles.",
     &R::vae_tiling},
    {"vae_tiles", "", "Tiles in which an image was decoded.", &R::vae_tiles},
    // outcome
    {"status", "",
     "ok, oom_device, oom_host, crash, timeout, error, invalid_output, skipped or interrupted.",
     &R::status},
    {"flags", "", "Remarks on the measurement, separated by blanks.", &R::flags},
    {"error", "", "Why the status is not ok: stage and reason in one line.", &R::error},
    // outcome: the failure's place and last words
    {"stage", "", "Where a cell that is not ok ended: start, load, first_image, measure and so on.",
     &R::stage},
    {"stderr_tail", "", "Last lines that the worker wrote to its stderr, if the cell is not ok.",
     &R::stderr_tail},
    {"warmup", "",
     "Batches after the first image that were not timed; empty where a worker died before it said "
     "so.",
     &R::warmup},
    {"repeat", "", "Timed runs that were completed: the n of all means over runs.", &R::repeat},
    // statistics: how the runs were chosen
    {"warmup_reason", "",
     "Why the warm-up ended: asked (--warmup N), settled (two images in a row agreed), limit (they "
     "never did) or max_time.",
     &R::warmup_reason},
    {"stop_reason", "",
     "Why the timed runs ended: repeat, max_noise, max_runs (the noise stayed above --max-noise), "
     "max_time or interrupted.",
     &R::stop_reason},
    // times
    {"load_s", "s",
     "From the request to weights on the device; empty where an earlier cell of the sweep had "
     "loaded them.",
     &R::load_s},
    {"prepare_s", "s",
     "Part of load_s: weights brought into the order that the engine wants, and GPU kernels "
     "compiled "
     "(not where an earlier run left them in the cache), and on a GPU each kind of attention tried "
     "once.",
     &R::prepare_s},
    {"first_image_s", "s",
     "First run of the cell, prompt to pixels; cold only where load_s is there.",
     &R::first_image_s},
    {"first_image_it_s", "it/s", "Steps of the first run by its UNet time.", &R::first_image_it_s},
    {"text_s", "s", "Text encoding of one run, mean of the timed runs.", &R::text_s},
    {"unet_s", "s", "Denoising loop of one run, mean of the timed runs.", &R::unet_s},
    {"vae_s", "s", "VAE decoding of one run, mean of the timed runs.", &R::vae_s},
    {"e2e_s", "s",
     "One run by the wall clock, prompt to pixels on the host, mean of the timed runs.", &R::e2e_s},
    {"step_s_mean", "s", "Mean of all timed steps.", &R::step_s_mean},
    {"step_s_sd", "s", "Sample standard deviation of all timed steps.", &R::step_s_sd},
    {"step_s_p50", "s", "Median of all timed steps.", &R::step_s_p50},
    {"step_s_p90", "s", "90th percentile of all timed steps.", &R::step_s_p90},
    {"step_s_p99", "s", "99th percentile of all timed steps; empty below 100 steps.",
     &R::step_s_p99},
    // statistics: the spread of steps and runs
    {"step_count", "", "Steps behind the statistics of steps: the timed ones.", &R::step_count},
    {"step_s_min", "s", "Shortest timed step.", &R::step_s_min},
    {"step_s_max", "s", "Longest timed step.", &R::step_s_max},
    {"text_s_median", "s", "Median of text_s over the timed runs.", &R::text_s_median},
    {"text_s_min", "s", "Smallest of text_s over the timed runs.", &R::text_s_min},
    {"text_s_max", "s", "Largest of text_s over the timed runs.", &R::text_s_max},
    {"text_s_sd", "s", "Sample standard deviation of text_s over the timed runs.", &R::text_s_sd},
    {"unet_s_median", "s", "Median of unet_s over the timed runs.", &R::unet_s_median},
    {"unet_s_min", "s", "Smallest of unet_s over the timed runs.", &R::unet_s_min},
    {"unet_s_max", "s", "Largest of unet_s over the timed runs.", &R::unet_s_max},
    {"unet_s_sd", "s", "Sample standard deviation of unet_s over the timed runs.", &R::unet_s_sd},
    {"vae_s_median", "s", "Median of vae_s over the timed runs.", &R::vae_s_median},
    {"vae_s_min", "s", "Smallest of vae_s over the timed runs.", &R::vae_s_min},
    {"vae_s_max", "s", "Largest of vae_s over the timed runs.", &R::vae_s_max},
    {"vae_s_sd", "s", "Sample standard deviation of vae_s over the timed runs.", &R::vae_s_sd},
    {"e2e_s_median", "s", "Median of e2e_s over the timed runs.", &R::e2e_s_median},
    {"e2e_s_min", "s", "Smallest of e2e_s over the timed runs.", &R::e2e_s_min},
    {"e2e_s_max", "s", "Largest of e2e_s over the timed runs.", &R::e2e_s_max},
    {"e2e_s_sd", "s", "Sample standard deviation of e2e_s over the timed runs.", &R::e2e_s_sd},
    {"e2e_s_median_excl_first", "s",
     "Median of e2e_s over the timed runs without the first of them.", &R::e2e_s_median_excl_first},
    // rates
    {"unet_it_s", "it/s",
     "Steps of the timed runs by their UNet time. One it is one scheduler step of the whole batch.",
     &R::unet_it_s},
    {"s_per_it", "s/it", "UNet time by steps: the reciprocal of unet_it_s.", &R::s_per_it},
    {"e2e_it_s", "it/s", "Steps of the timed runs by their end-to-end time.", &R::e2e_it_s},
    {"images_per_min", "images/min", "Images of the timed runs by their end-to-end time.",
     &R::images_per_min},
    {"megapixels_per_s", "MP/s", "Pixels of the timed runs by their end-to-end time, in millions.",
     &R::megapixels_per_s},
    {"unet_tflop", "TFLOP",
     "Nominal operations of one it, guidance included: two for each multiply-accumulate.",
     &R::unet_tflop},
    {"achieved_tflops", "TFLOP/s",
     "unet_tflop times unet_it_s: products of the usual form, so Winograd's may exceed the peak.",
     &R::achieved_tflops},
    // statistics: how sure it is
    {"ci95_covers", "",
     "What the 95 % intervals cover: within-run (the runs of this row) or between-runs (rows of "
     "the "
     "same cell).",
     &R::ci95_covers},
    {"ci95_count", "", "Runs or rows that the 95 % intervals are made of.", &R::ci95_count},
    {"unet_it_s_ci95_low", "it/s", "Lower end of the 95 % interval of unet_it_s.",
     &R::unet_it_s_ci95_low},
    {"unet_it_s_ci95_high", "it/s", "Upper end of the 95 % interval of unet_it_s.",
     &R::unet_it_s_ci95_high},
    {"images_per_min_ci95_low", "images/min", "Lower end of the 95 % interval of images_per_min.",
     &R::images_per_min_ci95_low},
    {"images_per_min_ci95_high", "images/min", "Upper end of the 95 % interval of images_per_min.",
     &R::images_per_min_ci95_high},
    {"noise", "", "Standard error of the mean e2e_s by that mean, over the timed runs.", &R::noise},
    {"step_outliers", "", "Timed steps far from the median step; they stay in every figure.",
     &R::step_outliers},
    {"run_outliers", "",
     "Timed runs whose e2e_s is far from the median; they stay in every figure.", &R::run_outliers},
    {"drift", "",
     "Growth of a step's time from the first to the last timed one, by the trend of ten blocks of "
     "them; empty below 30 steps.",
     &R::drift},
    {"drift_p", "", "Probability of such a trend by chance alone (one-sided Mann-Kendall test).",
     &R::drift_p},
    // memory
    {"peak_device_allocated_bytes", "bytes",
     "Most device memory in live tensors during the timed runs; a CUDA graph's intermediate "
     "results are in the next field alone.",
     &R::peak_device_allocated_bytes},
    {"peak_device_reserved_bytes", "bytes",
     "Most device memory held by libtorch's allocator during the timed runs.",
     &R::peak_device_reserved_bytes},
    {"peak_device_used_bytes", "bytes",
     "Most device memory in use by all processes, as the driver says.", &R::peak_device_used_bytes},
    {"peak_host_bytes", "bytes",
     "Most host memory resident in the worker, mapped weights included.", &R::peak_host_bytes},
    // checks
    {"golden_check", "",
     "pass or fail: the short fixed run with synthetic weights against diffusers' latents; empty "
     "where there are none.",
     &R::golden_check},
    {"golden_rel_err", "", "Largest difference of that check by the largest golden value.",
     &R::golden_rel_err},
    {"output_check", "", "pass, non_finite or constant: whether the images can be images.",
     &R::output_check},
    // quality
    {"quality_reference", "",
     "Of a row of sdbench quality, which has no times: what its images were compared with; empty "
     "in "
     "the rows of run.",
     &R::quality_reference},
    {"psnr_db_mean", "dB",
     "Mean peak signal-to-noise ratio of the images that differ from the reference's; empty where "
     "none does (ssim_min is 1 then).",
     &R::psnr_db_mean},
    {"psnr_db_min", "dB", "Least peak signal-to-noise ratio of an image; empty likewise.",
     &R::psnr_db_min},
    {"ssim_mean", "", "Mean structural similarity of the images to the reference's.",
     &R::ssim_mean},
    {"ssim_min", "", "Least structural similarity of an image; 1 is the same image.", &R::ssim_min},
    {"latents_nmse", "",
     "Squared error of the final latents by the sum of the reference's squares, mean of the "
     "images.",
     &R::latents_nmse},
    // environment
    {"device_uuid", "", "UUID of the GPU, as CUDA and nvidia-smi name it.", &R::device_uuid},
    {"device_pci_address", "", "PCI address of the GPU: domain:bus:device.function.",
     &R::device_pci_address},
    {"device_index", "",
     "Number of the GPU as --device counts; NVML's and nvidia-smi's may differ.", &R::device_index},
    {"sm_count", "", "Streaming multiprocessors of the GPU.", &R::sm_count},
    {"device_memory_bytes", "bytes", "Memory of the GPU.", &R::device_memory_bytes},
    {"device_memory_free_bytes", "bytes", "What was free of it before the model was loaded.",
     &R::device_memory_free_bytes},
    {"ecc", "", "on or off: error correction of the GPU's memory; empty where it has none.",
     &R::ecc},
    {"mig", "", "on or off: the GPU is split into instances; empty where it cannot be.", &R::mig},
    {"pcie_generation", "", "Highest PCI Express generation that GPU and slot can do together.",
     &R::pcie_generation},
    {"pcie_width", "", "PCI Express lanes, likewise.", &R::pcie_width},
    {"cuda_driver_version", "", "Newest CUDA that the driver takes.", &R::cuda_driver_version},
    {"cuda_runtime_version", "", "CUDA runtime of the worker.", &R::cuda_runtime_version},
    {"cudnn_version", "", "cuDNN of the worker's libtorch.", &R::cudnn_version},
    {"gpu_processes", "",
     "Other processes that compute or draw on the GPU: none, their ids and names, or unknown where "
     "they "
     "cannot be seen (containers, WSL).",
     &R::gpu_processes},
    {"os", "", "Name of the operating system.", &R::os},
    {"kernel", "", "Release of the kernel.", &R::kernel},
    {"cpu", "", "Name of the processor.", &R::cpu},
    {"core_count", "", "Cores that the process may run on.", &R::core_count},
    {"core_list", "", "Numbers of the cores in its affinity mask: 0-3,8.", &R::core_list},
    {"host_memory_bytes", "bytes", "Memory of the host.", &R::host_memory_bytes},
    {"governor", "", "Governor of the processor's clock.", &R::governor},
    {"power_supply", "", "ac or battery; empty where the machine does not tell.", &R::power_supply},
    {"container", "", "none, wsl, or the kind of container.", &R::container},
    {"cuda_visible_devices", "", "CUDA_VISIBLE_DEVICES, if it is set.", &R::cuda_visible_devices},
    {"allocator_config", "", "PYTORCH_CUDA_ALLOC_CONF or PYTORCH_ALLOC_CONF, if one is set.",
     &R::allocator_config},
    {"openmp_config", "",
     "Environment variables that bind OpenMP's threads or say how they wait, as NAME=VALUE.",
     &R::openmp_config},
    {"instruction_config", "",
     "Environment variables that limit the instructions which libtorch, its oneDNN and our kernels "
     "on a CPU use, as NAME=VALUE.",
     &R::instruction_config},
    {"cuda_config", "",
     "Environment variables that change how CUDA, its libraries and libtorch compute on a GPU, as "
     "NAME=VALUE; empty for a cell on a CPU.",
     &R::cuda_config},
    // telemetry: the sensors during the timed part
    {"telemetry_samples", "", "Looks at the sensors during the timed part.", &R::telemetry_samples},
    {"gpu_load_percent_min", "%", "Least load of the GPU: the share of time with a kernel on it.",
     &R::gpu_load_percent_min},
    {"gpu_load_percent_mean", "%", "Mean load of the GPU.", &R::gpu_load_percent_mean},
    {"gpu_load_percent_max", "%", "Greatest load of the GPU.", &R::gpu_load_percent_max},
    {"sm_clock_hz_min", "Hz", "Lowest clock of the GPU's SMs.", &R::sm_clock_hz_min},
    {"sm_clock_hz_mean", "Hz", "Mean clock of the GPU's SMs.", &R::sm_clock_hz_mean},
    {"sm_clock_hz_max", "Hz", "Highest clock of the GPU's SMs.", &R::sm_clock_hz_max},
    {"memory_clock_hz_min", "Hz", "Lowest clock of the GPU's memory.", &R::memory_clock_hz_min},
    {"memory_clock_hz_mean", "Hz", "Mean clock of the GPU's memory.", &R::memory_clock_hz_mean},
    {"memory_clock_hz_max", "Hz", "Highest clock of the GPU's memory.", &R::memory_clock_hz_max},
    {"temperature_c_start", "degC", "Temperature of the GPU when the timed part began.",
     &R::temperature_c_start},
    {"temperature_c_mean", "degC", "Mean temperature of the GPU.", &R::temperature_c_mean},
    {"temperature_c_max", "degC", "Highest temperature of the GPU.", &R::temperature_c_max},
    {"power_w_idle", "W", "Mean power of the GPU before the first cell.", &R::power_w_idle},
    {"power_w_min", "W", "Least power of the GPU.", &R::power_w_min},
    {"power_w_mean", "W", "Mean power of the GPU.", &R::power_w_mean},
    {"power_w_max", "W", "Greatest power of the GPU.", &R::power_w_max},
    {"power_limit_w", "W", "Power limit of the GPU that was in force.", &R::power_limit_w},
    {"fan_percent_max", "%", "Highest speed of the GPU's fan, of what it can do.",
     &R::fan_percent_max},
    {"device_memory_used_max_bytes", "bytes", "Most memory of the GPU in use by all processes.",
     &R::device_memory_used_max_bytes},
    {"pcie_generation_used", "",
     "Highest PCI Express generation of the link that was in force; it falls on an idle GPU.",
     &R::pcie_generation_used},
    {"pcie_width_used", "", "PCI Express lanes, likewise.", &R::pcie_width_used},
    {"throttle_reasons", "",
     "What held the GPU's clocks down, in NVML's words, separated by blanks; none where nothing "
     "did, empty where it is not told.",
     &R::throttle_reasons},
    {"energy_j", "J",
     "Energy that the device took over the timed part; on a CPU that of the processor packages, "
     "and "
     "empty where others computed on it in parallel.",
     &R::energy_j},
    {"energy_source", "",
     "counter: the difference of the device's own counter; integrated: its power over time.",
     &R::energy_source},
    {"j_per_image", "J",
     "energy_j by timed images; empty below one second of the counter, without one below 10 looks "
     "at the sensors.",
     &R::j_per_image},
    {"host_energy_j", "J",
     "Energy that the processor packages took over the timed part (RAPL), of parallel devices with "
     "what they waited for each other.",
     &R::host_energy_j},
    {"cpu_load_percent", "%", "Mean load of all cores of the host, whoever causes it.",
     &R::cpu_load_percent},
    {"foreign_cpu_percent_mean", "%",
     "Share of the cores that may be used that other programs had over the timed part: all that "
     "was "
     "worked there, less what sdbench and its workers had.",
     &R::foreign_cpu_percent_mean},
    {"foreign_cpu_percent_max", "%", "The same in its busiest second.",
     &R::foreign_cpu_percent_max},
    {"steal_percent", "%", "Share of these cores that a hypervisor had for other machines.",
     &R::steal_percent},
    {"cpu_throttled_percent", "%",
     "Share of these cores in which the quota of a control group held threads up, of all that are "
     "in the group.",
     &R::cpu_throttled_percent},
    {"cpu_pressure_percent", "%",
     "Share of the timed part in which some thread, sdbench's own among them, waited for a core "
     "(the kernel's pressure).",
     &R::cpu_pressure_percent},
    {"busy_programs", "",
     "Where the row is flagged busy: the other programs that had the most CPU time from the cell's "
     "start on, where 100 % is one core.",
     &R::busy_programs},
    {"cpu_clock_hz_min", "Hz", "Lowest clock, mean of the cores.", &R::cpu_clock_hz_min},
    {"cpu_clock_hz_mean", "Hz", "Mean clock of the cores.", &R::cpu_clock_hz_mean},
    {"cpu_clock_hz_max", "Hz", "Highest clock, mean of the cores.", &R::cpu_clock_hz_max},
    {"cpu_temperature_c_max", "degC", "Highest temperature of the processor.",
     &R::cpu_temperature_c_max},
    {"worker_rss_max_bytes", "bytes",
     "Most host memory resident in the worker during the timed part; of a sum that of all its "
     "workers, added up.",
     &R::worker_rss_max_bytes},
    {"swap_used_max_bytes", "bytes", "Most swap in use on the host.", &R::swap_used_max_bytes},
    {"swap_traffic_bytes", "bytes", "What the host moved to swap and back.",
     &R::swap_traffic_bytes},
};

} // namespace

std::span<const RecordField> record_fields() {
  return kFields;
}

} // namespace sdbench

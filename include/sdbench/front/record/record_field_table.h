#pragma once

#include <optional>
#include <string_view>
#include <variant>

#include "sdbench/base/executor/measured_figure_table.h"
#include "sdbench/front/record/record_field.h"
#include "sdbench/front/record/run_record.h"

// The one table of fields: names, units and meanings, in the order of the columns. docs/record.md
// and configs/record.schema.json repeat it, and tests compare them with it. It is in a header so
// that the compiler can check names (field_name.h).

namespace sdbench {

/// Makes the record field of a measured figure from its entry in kMeasured.
consteval RecordField measured(std::string_view name) {
  // No pointer is compared with null here: GCC refuses that in a constant under sanitizers.
  for (const MeasuredFigure& figure : kMeasured) {
    if (figure.name == name) {
      return {figure.name, figure.unit, figure.description,
              std::visit([](auto member) { return RecordField::Member(member); }, figure.member),
              figure.words.empty() ? std::nullopt : std::optional(figure.words)};
    }
  }
  throw "no measured figure has this name";
}

inline constexpr RecordField kRecordFields[] = {
    // identity
    {"schema_version", "", "Version of this list of fields.", &RunRecord::schema_version},
    {"run_id", "", "Random name of this row.", &RunRecord::run_id},
    {"workload_id", "",
     "Hash of what was computed: model, size, steps, batch, images, guidance, clip skip, scheduler "
     "and spacing; of a network its task, update, loss, epochs and data. Only rows with the same "
     "one "
     "may be compared by it/s.",
     &RunRecord::workload_id},
    {"variant_id", "",
     "Hash of how it was asked for: dtype, engine, attention, threads, axes of the engine, "
     "version of the runtime, what steers OpenMP's threads, limits instructions or changes CUDA's "
     "ways, "
     "and "
     "the devices that ran together.",
     &RunRecord::variant_id},
    {"env_id", "", "Hash of where it ran: device, driver, operating system and host hardware.",
     &RunRecord::env_id},
    {"cell_id", "", "Hash of workload, variant and the device asked for.", &RunRecord::cell_id},
    {"time_utc", "", "Start of the cell, ISO 8601 in UTC.", &RunRecord::time_utc, "when"},
    {"host", "", "Name of the machine.", &RunRecord::host},
    {"label", "", "The text of --label.", &RunRecord::label},
    {"note", "", "The text of --note.", &RunRecord::note},
    {"tags", "", "What --tag said, KEY=VALUE with a blank between, by key: cooler=air room_c=21.",
     &RunRecord::tags},
    {"sdbench_version", "", "Version of sdbench.", &RunRecord::sdbench_version},
    {"git_sha", "", "Commit that sdbench was built from, with -dirty if files had been changed.",
     &RunRecord::git_sha},
    {"engine", "", "How the network is computed: plain is ATen operators one after the other.",
     &RunRecord::engine},
    {"engine_revision", "", "Raised whenever a change of the engine alters its speed.",
     &RunRecord::engine_revision},
    {"runtime_version", "",
     "Version of the runtime that computed: of libtorch, where the engine is tuned or plain.",
     &RunRecord::runtime_version},
    // sweep
    {"sweep_id", "", "Random name of the call of sdbench that made this row, with all its others.",
     &RunRecord::sweep_id},
    {"round", "", "Which of the rounds of --rounds, from 1.", &RunRecord::round},
    {"restart", "", "Which of the fresh workers of --restarts, from 1.", &RunRecord::restart},
    // parallel execution
    {"parallel_id", "",
     "Name of the parallel execution (--parallel) that the row belongs to: the run_id of its sum "
     "row; empty in the rows of cells that ran alone, like the next six.",
     &RunRecord::parallel_id},
    {"parallel_role", "", "device: one device's part; sum: all devices together.",
     &RunRecord::parallel_role},
    {"parallel_devices", "", "Devices that ran together.", &RunRecord::parallel_devices},
    {"share", "",
     "prompts: the devices shared a run's batches; batch: they shared each batch, for one network; "
     "each: every one made all of them.",
     &RunRecord::share},
    {"scaling_efficiency", "",
     "Of a sum row: images_per_min by alone_images_per_min; 1 is perfect.",
     &RunRecord::scaling_efficiency},
    {"alone_images_per_min", "1/min",
     "Of a sum row: images_per_min of each device alone, added up. They ran just before with the "
     "same round and restart, or these are their latest good rows that --resume found.",
     &RunRecord::alone_images_per_min},
    {"parallel_energy_j", "J",
     "Of a GPU's row in a parallel execution: the energy from its first timed run to when all "
     "devices had made their last, with what it waited for them; the sum's energy_j adds these up.",
     &RunRecord::parallel_energy_j},
    // what was asked for
    {"asked_dtype", "",
     "Number format that was asked for: auto or one of --dtype; empty, like the next three, in a "
     "row that another program made.",
     &RunRecord::asked_dtype},
    {"asked_threads", "", "Threads that were asked for; 0: as many as the program chooses.",
     &RunRecord::asked_threads},
    {"asked_devices", "",
     "Devices that were asked to run together, with + between; empty: one device.",
     &RunRecord::asked_devices},
    {"asked_libtorch", "",
     "Version of libtorch that was asked for: the name of the folder that its worker stands in.",
     &RunRecord::asked_libtorch},
    // device
    {"device", "",
     "The device asked for: auto, cpu, cpu:K, cuda, cuda:N, intel or intel:N; of a sum row all of "
     "them with + between.",
     &RunRecord::device},
    {"cpu_share", "",
     "K/N of a cpu:K: share K, from 0, of N equal ones of the cores; empty: all of them.",
     &RunRecord::cpu_share},
    {"device_kind", "", "cpu, cuda or intel.", &RunRecord::device_kind},
    {"device_name", "", "Name of the GPU or of the processor.", &RunRecord::device_name},
    {"device_arch", "",
     "Generation of the GPU, or the widest vector instructions of the processor.",
     &RunRecord::device_arch},
    {"compute_capability", "", "CUDA compute capability of the GPU.",
     &RunRecord::compute_capability},
    {"driver_version", "",
     "Version of the GPU's driver; where it cannot be read, the newest CUDA that it takes.",
     &RunRecord::driver_version},
    // workload
    {"task", "",
     "What the model did: generate (images of prompts), infer (a network's answers to batches of "
     "images) or train (forward, loss and backward); empty in the first rows, which generate.",
     &RunRecord::task},
    {"model", "", "Name of the architecture.", &RunRecord::model},
    {"weights", "", "Identity of the weights: synthetic:SEED, or the checkpoint's.",
     &RunRecord::weights},
    measured("weights_dtype"),
    measured("weights_ignored"),
    {"width", "px", "Width of an image.", &RunRecord::width},
    {"height", "px", "Height of an image.", &RunRecord::height},
    {"steps", "",
     "Scheduler steps of an image; 1 of a network, whose iterations are batches: images by batch.",
     &RunRecord::steps},
    measured("unet_calls"),
    {"batch", "", "Images that are computed together.", &RunRecord::batch},
    {"images", "", "Images of one run, in batches.", &RunRecord::images},
    {"weight_update", "",
     "Of training alone: on or off, whether the optimiser's step is a part of an iteration.",
     &RunRecord::weight_update},
    {"loss", "",
     "Of training by another loss than cross entropy: logit-sum, the sum of the network's answers.",
     &RunRecord::loss},
    {"epochs", "",
     "Of training over a data set: epochs asked for, each a run of which the first is the first "
     "run; empty: a run is iterations with one batch.",
     &RunRecord::epochs},
    {"data", "",
     "Of epochs: the data set, cifar10 or synthetic:N with its number of images; where it could "
     "not be read, what was asked for.",
     &RunRecord::data},
    measured("data_identity"),
    {"data_place", "",
     "Of epochs: host (each batch is made there and copied) or device (all images are there).",
     &RunRecord::data_place},
    {"guidance", "", "Guidance scale; above 1 the UNet sees twice the batch.",
     &RunRecord::guidance},
    {"clip_skip", "",
     "Last layers of the text encoders that --clip-skip left out of the prompts' states; empty: "
     "none.",
     &RunRecord::clip_skip},
    {"seed", "", "Seed of the first image's noise; image i has seed + i.", &RunRecord::seed},
    {"scheduler", "", "The sampler that ran: euler.", &RunRecord::scheduler},
    {"noise_levels", "",
     "Noise levels of its steps: training (those that the model was trained with) or karras (after "
     "Karras et al., 2022).",
     &RunRecord::noise_levels},
    {"scheduler_source", "",
     "Scheduler class that the model names; its settings are converted as diffusers does. If Euler "
     "cannot stand in for it (LCMScheduler, say), --scheduler euler was given.",
     &RunRecord::scheduler_source},
    {"timestep_spacing", "", "leading, linspace or trailing.", &RunRecord::timestep_spacing},
    {"prompt_sha256", "",
     "SHA-256 of the prompts, one a line, and the negative prompt after a zero byte if there is "
     "one.",
     &RunRecord::prompt_sha256},
    {"dtype_unet", "",
     "Number format of the UNet, or of the network, autocast- before it where only some operators "
     "use it; of a cell "
     "that never loaded, the one asked for.",
     &RunRecord::dtype_unet},
    {"dtype_vae", "", "Number format of the VAE decoder.", &RunRecord::dtype_vae},
    {"dtype_text", "", "Number format of the text encoders.", &RunRecord::dtype_text},
    {"attention", "", "Attention kernel asked for.", &RunRecord::attention},
    {"attention_used", "",
     "Attention kernel that the UNet's self-attention used; where its levels differ, each: "
     "`cudnn+flash`.",
     &RunRecord::attention_used},
    {"threads", "", "Threads of libtorch inside an operator.", &RunRecord::threads},
    // axes of the engine
    {"memory_format", "",
     "Order of an image's numbers in UNet and VAE that was asked for: auto, contiguous or "
     "channels-last.",
     &RunRecord::memory_format},
    {"memory_format_used", "",
     "The order that they had; where the VAE had another than the UNet, both: "
     "`channels-last+contiguous`.",
     &RunRecord::memory_format_used},
    {"packed_weights", "",
     "auto, winograd, onednn or off: whose kernels a CPU's weights were to be put in order for, "
     "once, at the load; in older rows also own.",
     &RunRecord::packed_weights},
    {"packed_weights_used", "",
     "off, onednn, winograd (oneDNN's, but 3x3 convolutions in fp32 in Winograd's form); in older "
     "rows also the instructions of our kernels in the usual form: avx2, avx512, avx512_bf16, amx.",
     &RunRecord::packed_weights_used},
    {"host_allocator", "",
     "What was asked for, auto, system or caching: whether memory that an operator freed stays "
     "with the process for the next one.",
     &RunRecord::host_allocator},
    {"host_allocator_used", "", "system or caching: which it was.",
     &RunRecord::host_allocator_used},
    {"kv_cache", "",
     "auto, on or off: whether the keys and values that cross-attention makes of the text were to "
     "be computed once a prompt instead of in each step.",
     &RunRecord::kv_cache},
    {"kv_cache_used", "", "on or off: whether they were.", &RunRecord::kv_cache_used},
    {"time_cache", "",
     "auto, on or off: whether what time adds in the UNet was to be computed for all steps at "
     "once, before the first.",
     &RunRecord::time_cache},
    {"time_cache_used", "", "on or off: whether it was.", &RunRecord::time_cache_used},
    {"shared_prefix", "",
     "auto, on or off: whether the UNet was to compute what comes before its first look at the "
     "text once for both halves of guidance.",
     &RunRecord::shared_prefix},
    {"shared_prefix_used", "",
     "on or off: whether it did; off without guidance, and for SDXL, whose time embedding holds "
     "the text too.",
     &RunRecord::shared_prefix_used},
    {"graphs", "",
     "auto, on, off or loop: whether a GPU was to get each of the UNet's calls (on) or all steps "
     "of "
     "a run (loop) as one CUDA graph, instead of kernel by kernel.",
     &RunRecord::graphs},
    {"graphs_used", "", "on, off or loop: what it got, in every timed run.",
     &RunRecord::graphs_used},
    {"graphs_obstacle", "",
     "Why that is less than it was to get; empty where it got that, or was to get none.",
     &RunRecord::graphs_obstacle},
    {"kernels", "",
     "auto, own or aten: whose kernels were to compute group norm with SiLU, GEGLU and, on a GPU, "
     "sums with layer norm and the scheduler's steps.",
     &RunRecord::kernels},
    {"kernels_used", "", "own or aten: whose did.", &RunRecord::kernels_used},
    {"kernels_obstacle", "", "Why not this project's own, where they were to; else empty.",
     &RunRecord::kernels_obstacle},
    {"tf32", "",
     "off, on or conv: which products of fp32 were allowed to be TF32's: none, all, or those of "
     "convolutions.",
     &RunRecord::tf32},
    {"tf32_used", "",
     "The same where the device has TF32 and some stage computed in fp32; else off.",
     &RunRecord::tf32_used},
    {"cudnn_benchmark", "", "on or off: whether cuDNN tried its algorithms; a CPU has none.",
     &RunRecord::cudnn_benchmark},
    {"offload", "", "none, or stages: text encoder, UNet and VAE took turns on the device.",
     &RunRecord::offload},
    {"vae_tiling", "", "on or off: whether large images were to be decoded in tiles.",
     &RunRecord::vae_tiling},
    {"dynamic_shapes", "",
     "on: what an engine of others made for the cell was to serve other sizes and batches, too.",
     &RunRecord::dynamic_shapes},
    measured("vae_tiles"),
    // outcome
    {"status", "",
     "ok, oom_device, oom_host, crash, timeout, error, invalid_output, skipped or interrupted.",
     &RunRecord::status},
    {"flags", "", "Remarks on the measurement, separated by blanks.", &RunRecord::flags},
    {"error", "", "Why the status is not ok: stage and reason in one line.", &RunRecord::error},
    // outcome: the failure's place and last words
    {"stage", "", "Where a cell that is not ok ended: start, load, first_image, measure and so on.",
     &RunRecord::stage},
    {"stderr_tail", "", "Last lines that the worker wrote to its stderr, if the cell is not ok.",
     &RunRecord::stderr_tail},
    {"warmup", "",
     "Batches after the first image that were not timed; empty where a worker died before it said "
     "so.",
     &RunRecord::warmup},
    {"repeat", "", "Timed runs that were completed: the n of all means over runs.",
     &RunRecord::repeat},
    // statistics: how the runs were chosen
    measured("warmup_reason"),
    measured("stop_reason"),
    // times
    {"load_s", "s",
     "From the request to weights on the device, without prepare_s; empty where an earlier cell of "
     "the sweep had loaded them.",
     &RunRecord::load_s},
    {"prepare_s", "s",
     "What was made for the cell before its first image. Of sdbench's engines: weights brought "
     "into "
     "the order that the engine wants, GPU kernels compiled (not where an earlier run left them in "
     "the cache), and on a GPU each kind of attention tried once. Of an engine of others: export, "
     "conversion, compilation, building, or reading what an earlier run kept of these.",
     &RunRecord::prepare_s},
    measured("prepared"),
    {"first_image_s", "s",
     "First run of the cell, prompt to pixels; cold only where load_s is there.",
     &RunRecord::first_image_s},
    {"first_image_it_s", "it/s",
     "Steps of the first run by its UNet time; of a network iterations by their time.",
     &RunRecord::first_image_it_s, "cold"},
    {"text_s", "s", "Text encoding of one run, mean of the timed runs.", &RunRecord::text_s},
    {"unet_s", "s", "Denoising loop of one run, mean of the timed runs.", &RunRecord::unet_s},
    {"vae_s", "s", "VAE decoding of one run, mean of the timed runs.", &RunRecord::vae_s},
    {"all_reduce_s", "s",
     "Of a device that shares a batch: what it waited in one run for the others' gradients after "
     "it had its own, mean of the timed runs.",
     &RunRecord::all_reduce_s},
    {"e2e_s", "s",
     "One run by the wall clock, prompt to pixels on the host, mean of the timed runs.",
     &RunRecord::e2e_s, "end to end"},
    {"step_s_mean", "s", "Mean of all timed steps.", &RunRecord::step_s_mean, "step"},
    {"step_s_sd", "s", "Sample standard deviation of all timed steps.", &RunRecord::step_s_sd},
    {"step_s_p50", "s", "Median of all timed steps.", &RunRecord::step_s_p50},
    {"step_s_p90", "s", "90th percentile of all timed steps.", &RunRecord::step_s_p90},
    {"step_s_p99", "s", "99th percentile of all timed steps; empty below 100 steps.",
     &RunRecord::step_s_p99},
    // statistics: the spread of steps and runs
    {"step_count", "", "Steps behind the statistics of steps: the timed ones.",
     &RunRecord::step_count},
    {"step_s_min", "s", "Shortest timed step.", &RunRecord::step_s_min},
    {"step_s_max", "s", "Longest timed step.", &RunRecord::step_s_max},
    {"text_s_median", "s", "Median of text_s over the timed runs.", &RunRecord::text_s_median},
    {"text_s_min", "s", "Smallest of text_s over the timed runs.", &RunRecord::text_s_min},
    {"text_s_max", "s", "Largest of text_s over the timed runs.", &RunRecord::text_s_max},
    {"text_s_sd", "s", "Sample standard deviation of text_s over the timed runs.",
     &RunRecord::text_s_sd},
    {"unet_s_median", "s", "Median of unet_s over the timed runs.", &RunRecord::unet_s_median},
    {"unet_s_min", "s", "Smallest of unet_s over the timed runs.", &RunRecord::unet_s_min},
    {"unet_s_max", "s", "Largest of unet_s over the timed runs.", &RunRecord::unet_s_max},
    {"unet_s_sd", "s", "Sample standard deviation of unet_s over the timed runs.",
     &RunRecord::unet_s_sd},
    {"vae_s_median", "s", "Median of vae_s over the timed runs.", &RunRecord::vae_s_median},
    {"vae_s_min", "s", "Smallest of vae_s over the timed runs.", &RunRecord::vae_s_min},
    {"vae_s_max", "s", "Largest of vae_s over the timed runs.", &RunRecord::vae_s_max},
    {"vae_s_sd", "s", "Sample standard deviation of vae_s over the timed runs.",
     &RunRecord::vae_s_sd},
    {"e2e_s_median", "s", "Median of e2e_s over the timed runs.", &RunRecord::e2e_s_median},
    {"e2e_s_min", "s", "Smallest of e2e_s over the timed runs.", &RunRecord::e2e_s_min},
    {"e2e_s_max", "s", "Largest of e2e_s over the timed runs.", &RunRecord::e2e_s_max},
    {"e2e_s_sd", "s", "Sample standard deviation of e2e_s over the timed runs.",
     &RunRecord::e2e_s_sd},
    {"e2e_s_median_excl_first", "s",
     "Median of e2e_s over the timed runs without the first of them.",
     &RunRecord::e2e_s_median_excl_first},
    {"epoch_s_first", "s",
     "Of epochs: the first one, for which nothing is warm; a single one is the timed run.",
     &RunRecord::epoch_s_first, "first epoch"},
    {"epoch_s_median", "s", "Of epochs: median of the others.", &RunRecord::epoch_s_median,
     "epoch"},
    {"train_s", "s", "Of epochs: all of them.", &RunRecord::train_s},
    measured("test_s"),
    // rates
    {"unet_it_s", "it/s",
     "Steps of the timed runs by their UNet time. One it is one scheduler step of the whole batch.",
     &RunRecord::unet_it_s, "UNet"},
    {"s_per_it", "s/it", "UNet time by steps: the reciprocal of unet_it_s.", &RunRecord::s_per_it,
     "UNet"},
    {"e2e_it_s", "it/s", "Steps of the timed runs by their end-to-end time.", &RunRecord::e2e_it_s,
     "end to end"},
    {"images_per_min", "images/min", "Images of the timed runs by their end-to-end time.",
     &RunRecord::images_per_min, ""},
    {"images_per_min_mean_of_runs", "images/min",
     "Mean of the rates of the timed runs, as some publish it. It is never less than "
     "images_per_min, which is all images by all time.",
     &RunRecord::images_per_min_mean_of_runs},
    {"images_per_s", "images/s",
     "Of a network: images of the timed runs by their end-to-end time; empty where images are "
     "made.",
     &RunRecord::images_per_s, ""},
    {"megapixels_per_s", "MP/s", "Pixels of the timed runs by their end-to-end time, in millions.",
     &RunRecord::megapixels_per_s, ""},
    {"unet_tflop", "TFLOP",
     "Nominal operations of one it, guidance included: two for each multiply-accumulate.",
     &RunRecord::unet_tflop},
    {"achieved_tflops", "TFLOP/s",
     "unet_tflop times unet_it_s: products of the usual form, so Winograd's may exceed the peak. "
     "Of "
     "a network its counted operations by end-to-end time, three times the forward ones in "
     "training.",
     &RunRecord::achieved_tflops, ""},
    // statistics: how sure it is
    {"ci95_covers", "",
     "What the 95 % intervals cover: within-run (the runs of this row) or between-runs (rows of "
     "the "
     "same cell).",
     &RunRecord::ci95_covers},
    {"ci95_count", "", "Runs or rows that the 95 % intervals are made of.", &RunRecord::ci95_count},
    {"unet_it_s_ci95_low", "it/s", "Lower end of the 95 % interval of unet_it_s.",
     &RunRecord::unet_it_s_ci95_low},
    {"unet_it_s_ci95_high", "it/s", "Upper end of the 95 % interval of unet_it_s.",
     &RunRecord::unet_it_s_ci95_high},
    {"images_per_min_ci95_low", "images/min", "Lower end of the 95 % interval of images_per_min.",
     &RunRecord::images_per_min_ci95_low},
    {"images_per_min_ci95_high", "images/min", "Upper end of the 95 % interval of images_per_min.",
     &RunRecord::images_per_min_ci95_high},
    {"noise", "", "Standard error of the mean e2e_s by that mean, over the timed runs.",
     &RunRecord::noise},
    {"step_outliers", "", "Timed steps far from the median step; they stay in every figure.",
     &RunRecord::step_outliers},
    {"run_outliers", "",
     "Timed runs whose e2e_s is far from the median; they stay in every figure.",
     &RunRecord::run_outliers},
    {"drift", "",
     "Growth of a step's time from the first to the last timed one, by the trend of ten blocks of "
     "them; empty below 30 steps.",
     &RunRecord::drift},
    {"drift_p", "", "Probability of such a trend by chance alone (one-sided Mann-Kendall test).",
     &RunRecord::drift_p},
    // memory
    measured("peak_device_allocated_bytes"),
    measured("peak_device_reserved_bytes"),
    measured("peak_device_used_bytes"),
    measured("peak_host_bytes"),
    // checks
    measured("golden_check"),
    measured("golden_rel_err"),
    measured("agreement_rel_err"),
    measured("output_check"),
    measured("loss_first"),
    measured("loss_last"),
    measured("accuracy"),
    // quality
    {"quality_reference", "",
     "Of a row of sdbench quality, which has no times: what its images were compared with; empty "
     "in "
     "the rows of run.",
     &RunRecord::quality_reference},
    {"psnr_db_mean", "dB",
     "Mean peak signal-to-noise ratio of the images that differ from the reference's; empty where "
     "none does (ssim_min is 1 then).",
     &RunRecord::psnr_db_mean},
    {"psnr_db_min", "dB", "Least peak signal-to-noise ratio of an image; empty if none differs.",
     &RunRecord::psnr_db_min},
    {"ssim_mean", "", "Mean structural similarity of the images to the reference's.",
     &RunRecord::ssim_mean},
    {"ssim_min", "", "Least structural similarity of an image; 1 is the same image.",
     &RunRecord::ssim_min},
    {"latents_nmse", "",
     "Squared error of the final latents by the sum of the reference's squares, mean of the "
     "images.",
     &RunRecord::latents_nmse},
    // environment
    {"device_uuid", "", "UUID of the GPU, as CUDA and nvidia-smi name it.",
     &RunRecord::device_uuid},
    {"device_pci_address", "", "PCI address of the GPU: domain:bus:device.function.",
     &RunRecord::device_pci_address},
    {"device_index", "",
     "Number of the GPU as --device counts; NVML's and nvidia-smi's may differ.",
     &RunRecord::device_index},
    {"sm_count", "", "Streaming multiprocessors of the GPU.", &RunRecord::sm_count},
    {"device_memory_bytes", "bytes", "Memory of the GPU.", &RunRecord::device_memory_bytes},
    {"device_memory_free_bytes", "bytes", "What was free of it before the model was loaded.",
     &RunRecord::device_memory_free_bytes},
    {"ecc", "", "on or off: error correction of the GPU's memory; empty where it has none.",
     &RunRecord::ecc},
    {"mig", "", "on or off: the GPU is split into instances; empty where it cannot be.",
     &RunRecord::mig},
    {"pcie_generation", "", "Highest PCI Express generation that GPU and slot can do together.",
     &RunRecord::pcie_generation},
    {"pcie_width", "", "Lanes that GPU and slot can use together.", &RunRecord::pcie_width},
    {"cuda_driver_version", "", "Newest CUDA that the driver takes.",
     &RunRecord::cuda_driver_version},
    {"cuda_runtime_version", "", "CUDA runtime of the worker.", &RunRecord::cuda_runtime_version},
    {"cudnn_version", "", "cuDNN of the worker's libtorch.", &RunRecord::cudnn_version},
    {"gpu_processes", "",
     "Other processes that compute or draw on the GPU: none, their ids and names, or unknown where "
     "they "
     "cannot be seen (containers, WSL).",
     &RunRecord::gpu_processes},
    {"os", "", "Name of the operating system.", &RunRecord::os},
    {"kernel", "", "Release of the kernel.", &RunRecord::kernel},
    {"cpu", "", "Name of the processor.", &RunRecord::cpu},
    {"core_count", "", "Cores that the process may run on.", &RunRecord::core_count},
    {"core_list", "", "Numbers of the cores in its affinity mask: 0-3,8.", &RunRecord::core_list},
    {"host_memory_bytes", "bytes", "Memory of the host.", &RunRecord::host_memory_bytes},
    {"governor", "", "Governor of the processor's clock.", &RunRecord::governor},
    {"memory_high_bytes", "bytes",
     "memory.high of the control group: beyond it the kernel slows the program down; empty: none.",
     &RunRecord::memory_high_bytes},
    {"transparent_huge_pages", "", "always, madvise or never.", &RunRecord::transparent_huge_pages},
    {"numa_balancing", "", "on: the kernel moves pages and threads between nodes; off.",
     &RunRecord::numa_balancing},
    {"core_kinds", "",
     "Kinds of cores of a hybrid processor and their numbers: performance 0-15, efficiency 16-23; "
     "empty where all are alike.",
     &RunRecord::core_kinds},
    {"preloaded", "", "Names of the libraries that LD_PRELOAD or /etc/ld.so.preload loads first.",
     &RunRecord::preloaded},
    {"power_supply", "", "ac or battery; empty where the machine does not tell.",
     &RunRecord::power_supply},
    {"container", "", "none, wsl, or the kind of container.", &RunRecord::container},
    {"slurm_job", "", "Number of the job of Slurm that sdbench ran in; empty: in none.",
     &RunRecord::slurm_job},
    {"slurm_node", "", "Slurm's name of the node.", &RunRecord::slurm_node},
    {"slurm_partition", "", "The partition that the job was given to.",
     &RunRecord::slurm_partition},
    {"slurm_sharing", "",
     "exclusive: no other job could be on the node; shared: others could; empty where Slurm did "
     "not tell.",
     &RunRecord::slurm_sharing},
    {"cuda_visible_devices", "", "CUDA_VISIBLE_DEVICES, if it is set.",
     &RunRecord::cuda_visible_devices},
    {"cuda_device_order", "",
     "On a GPU of NVIDIA's: the order in which CUDA numbers them, CUDA_DEVICE_ORDER or, where that "
     "is not set, FASTEST_FIRST.",
     &RunRecord::cuda_device_order},
    {"allocator_config", "",
     "PYTORCH_CUDA_ALLOC_CONF or PYTORCH_ALLOC_CONF, if one is set; both as NAME=VALUE, if they "
     "differ.",
     &RunRecord::allocator_config},
    {"openmp_config", "",
     "Environment variables that bind OpenMP's threads or say how they wait, as NAME=VALUE.",
     &RunRecord::openmp_config},
    {"instruction_config", "",
     "Environment variables that limit the instructions which libtorch, its oneDNN and our kernels "
     "on a CPU use, as NAME=VALUE.",
     &RunRecord::instruction_config},
    {"cuda_config", "",
     "Environment variables that change how CUDA, its libraries and libtorch compute on a GPU, as "
     "NAME=VALUE; empty where a device without CUDA was asked for.",
     &RunRecord::cuda_config},
    // telemetry: the sensors during the timed part
    {"telemetry_samples", "", "Looks at the sensors during the timed part.",
     &RunRecord::telemetry_samples},
    {"gpu_load_percent_min", "%", "Least load of the GPU: the share of time with a kernel on it.",
     &RunRecord::gpu_load_percent_min},
    {"gpu_load_percent_mean", "%", "Mean load of the GPU.", &RunRecord::gpu_load_percent_mean},
    {"gpu_load_percent_max", "%", "Greatest load of the GPU.", &RunRecord::gpu_load_percent_max},
    {"sm_clock_hz_min", "Hz", "Lowest clock of the GPU's SMs.", &RunRecord::sm_clock_hz_min},
    {"sm_clock_hz_mean", "Hz", "Mean clock of the GPU's SMs.", &RunRecord::sm_clock_hz_mean},
    {"sm_clock_hz_max", "Hz", "Highest clock of the GPU's SMs.", &RunRecord::sm_clock_hz_max},
    {"memory_clock_hz_min", "Hz", "Lowest clock of the GPU's memory.",
     &RunRecord::memory_clock_hz_min},
    {"memory_clock_hz_mean", "Hz", "Mean clock of the GPU's memory.",
     &RunRecord::memory_clock_hz_mean},
    {"memory_clock_hz_max", "Hz", "Highest clock of the GPU's memory.",
     &RunRecord::memory_clock_hz_max},
    {"temperature_c_start", "degC", "Temperature of the GPU when the timed part began.",
     &RunRecord::temperature_c_start},
    {"temperature_c_mean", "degC", "Mean temperature of the GPU.", &RunRecord::temperature_c_mean},
    {"temperature_c_max", "degC", "Highest temperature of the GPU.", &RunRecord::temperature_c_max},
    {"power_w_idle", "W", "Mean power of the GPU before the first cell.", &RunRecord::power_w_idle},
    {"power_w_min", "W", "Least power of the GPU.", &RunRecord::power_w_min},
    {"power_w_mean", "W", "Mean power of the GPU.", &RunRecord::power_w_mean},
    {"power_w_max", "W", "Greatest power of the GPU.", &RunRecord::power_w_max},
    {"power_limit_w", "W", "Power limit of the GPU that was in force.", &RunRecord::power_limit_w},
    {"fan_percent_max", "%", "Highest speed of the GPU's fan, of what it can do.",
     &RunRecord::fan_percent_max},
    {"device_memory_used_max_bytes", "bytes", "Most memory of the GPU in use by all processes.",
     &RunRecord::device_memory_used_max_bytes},
    {"pcie_generation_used", "",
     "Highest PCI Express generation of the link that was in force; it falls on an idle GPU.",
     &RunRecord::pcie_generation_used},
    {"pcie_width_used", "", "Most PCI Express lanes in force.", &RunRecord::pcie_width_used},
    {"throttle_reasons", "",
     "What held the GPU's clocks down, in NVML's words, separated by blanks; none where nothing "
     "did, empty where it is not told.",
     &RunRecord::throttle_reasons},
    {"energy_j", "J",
     "Energy that the device took over the timed part; on a CPU that of the processor packages, "
     "and "
     "empty where others computed on it in parallel, and of parts that are too short.",
     &RunRecord::energy_j},
    {"energy_source", "",
     "counter: the difference of the device's own counter; integrated: its power over time.",
     &RunRecord::energy_source},
    {"j_per_image", "J",
     "energy_j by timed images; empty below one second of the counter, without one below 10 looks "
     "at the sensors.",
     &RunRecord::j_per_image, "J/image"},
    {"host_energy_j", "J",
     "Energy that the processor packages took over the timed part (RAPL), of parallel devices with "
     "what they waited for each other.",
     &RunRecord::host_energy_j},
    {"cpu_load_percent", "%", "Mean load of all cores of the host, whoever causes it.",
     &RunRecord::cpu_load_percent},
    {"foreign_cpu_percent_mean", "%",
     "Share of the cores that may be used that other programs had over the timed part: all that "
     "was "
     "worked there, less what sdbench and its workers had.",
     &RunRecord::foreign_cpu_percent_mean},
    {"foreign_cpu_percent_max", "%", "The same in its busiest second.",
     &RunRecord::foreign_cpu_percent_max},
    {"steal_percent", "%", "Share of these cores that a hypervisor had for other machines.",
     &RunRecord::steal_percent},
    {"cpu_throttled_percent", "%",
     "Share of these cores in which the quota of a control group held threads up, of all that are "
     "in the group.",
     &RunRecord::cpu_throttled_percent},
    {"cpu_pressure_percent", "%",
     "Share of the timed part in which some thread, sdbench's own among them, waited for a core "
     "(the kernel's pressure).",
     &RunRecord::cpu_pressure_percent},
    {"busy_programs", "",
     "Where the row is flagged busy: the other programs that had the most CPU time from the cell's "
     "start on, where 100 % is one core.",
     &RunRecord::busy_programs},
    {"cpu_clock_hz_min", "Hz", "Lowest clock, mean of the cores.", &RunRecord::cpu_clock_hz_min},
    {"cpu_clock_hz_mean", "Hz", "Mean clock of the cores.", &RunRecord::cpu_clock_hz_mean},
    {"cpu_clock_hz_max", "Hz", "Highest clock, mean of the cores.", &RunRecord::cpu_clock_hz_max},
    {"cpu_temperature_c_max", "degC", "Highest temperature of the processor.",
     &RunRecord::cpu_temperature_c_max},
    {"worker_rss_max_bytes", "bytes",
     "Most host memory resident in the worker during the timed part; of a sum that of all its "
     "workers, added up.",
     &RunRecord::worker_rss_max_bytes},
    {"swap_used_max_bytes", "bytes", "Most swap in use on the host.",
     &RunRecord::swap_used_max_bytes},
    {"swap_traffic_bytes", "bytes", "What the host moved to swap and back.",
     &RunRecord::swap_traffic_bytes},
};

} // namespace sdbench

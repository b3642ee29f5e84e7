#include "sdbench/record/record_fields.h"

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
     "Hash of how it was asked for: dtype, engine, attention, threads, axes of the engine and "
     "libtorch version.",
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
    // device
    {"device_kind", "", "cpu or cuda.", &R::device_kind},
    {"device_name", "", "Name of the GPU or of the processor.", &R::device_name},
    {"device_arch", "",
     "Generation of the GPU, or the widest vector instructions of the processor.", &R::device_arch},
    {"compute_capability", "", "CUDA compute capability of the GPU.", &R::compute_capability},
    {"driver_version", "", "Version of the GPU's driver.", &R::driver_version},
    // workload
    {"model", "", "Name of the architecture.", &R::model},
    {"weights", "", "Identity of the weights: synthetic:SEED, or the checkpoint's.", &R::weights},
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
     "Scheduler class that the model names; its settings are converted as diffusers does.",
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
    {"attention_used", "", "Attention kernel that the UNet's self-attention used.",
     &R::attention_used},
    {"threads", "", "Threads of libtorch inside an operator.", &R::threads},
    // axes of the engine
    {"memory_format", "",
     "Order of an image's numbers in UNet and VAE: contiguous or channels-last.",
     &R::memory_format},
    {"tf32", "", "on or off: whether fp32 arithmetic was allowed to be TF32.", &R::tf32},
    {"tf32_used", "",
     "on if it was allowed, and the device has TF32, and some stage computed in fp32; else off.",
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
    {"warmup", "", "Runs after the first image that were not timed.", &R::warmup},
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
    {"achieved_tflops", "TFLOP/s", "unet_tflop times unet_it_s.", &R::achieved_tflops},
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
     "Most device memory in live tensors during the timed runs.", &R::peak_device_allocated_bytes},
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
    {"output_check", "", "pass, nan or constant: whether the images can be images.",
     &R::output_check},
};

} // namespace

std::span<const RecordField> record_fields() {
  return kFields;
}

} // namespace sdbench

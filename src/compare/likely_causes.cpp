#include "sdbench/compare/likely_causes.h"

namespace sdbench {
namespace {

// Work first (a difference there is no difference in speed at all), then the device, then what was
// asked for, by how much it usually changes, then the software, then what went wrong meanwhile.
constexpr LikelyCause kCauses[] = {
    {"model", "another network: the rows are not the same work"},
    {"width", "another size: the rows are not the same work"},
    {"height", "another size: the rows are not the same work"},
    {"batch", "an it is a step of the whole batch: the rows are not the same work"},
    {"guidance", "above 1 the UNet sees twice the batch"},
    {"steps", "fixed costs weigh more in short runs"},
    {"images", "a run of several batches is another work"},
    {"scheduler", "another sampler"},
    {"timestep_spacing", "other timesteps, and mostly the same speed"},
    {"parallel_role", "a part or a sum of several devices is no single device"},
    {"parallel_devices", "another number of devices"},
    {"device_kind", "a processor and a GPU"},
    {"device_name", "another device"},
    {"dtype_unet", "number formats differ by a factor of two and more"},
    {"flags", "what was seen during the measurement"},
    {"throttle_reasons", "the clocks were held down"},
    {"gpu_processes", "another program used the GPU"},
    {"busy_programs", "other programs used the processors"},
    {"attention_used", "another attention kernel"},
    {"engine", "another engine"},
    {"engine_revision", "the engine's speed was changed between the two"},
    {"memory_format_used", "channels-last suits tensor cores and oneDNN"},
    {"packed_weights_used", "other kernels compute linear layers and convolutions"},
    {"fused_used", "fused layers read and write less memory"},
    {"host_allocator_used", "memory that is kept need not be asked for and cleared again"},
    {"kv_cache_used", "the text's keys and values are computed once a prompt, or in each step"},
    {"time_cache_used", "what time adds is computed once for all steps, or in each"},
    {"shared_prefix_used",
     "what comes before the text is computed once for both of guidance's halves"},
    {"graphs_used", "with a graph the GPU need not wait for the host to start each kernel"},
    {"kernels_used", "sdbench's own kernels read and write less memory than ATen's"},
    {"tf32_used", "TF32 multiplies fp32 several times as fast"},
    {"cudnn_benchmark", "cuDNN may have chosen other algorithms"},
    {"offload", "weights change places in every run"},
    {"vae_tiling", "tiles overlap: more work in the VAE"},
    {"cpu_share", "another share of the cores"},
    {"threads", "another number of threads"},
    {"core_count", "another number of cores"},
    {"core_list", "other cores, which may share a core's units or be of another kind"},
    {"openmp_config", "OpenMP's threads are bound otherwise, or wait otherwise"},
    {"instruction_config", "other instructions of the processor may be used"},
    {"cuda_config", "variables of the environment change how CUDA and its libraries compute"},
    {"libtorch_version", "another libtorch, with other kernels"},
    {"cudnn_version", "another cuDNN, with other algorithms"},
    {"cuda_runtime_version", "another CUDA runtime"},
    {"driver_version", "another driver"},
    {"sm_clock_hz_mean", "the GPU ran at another clock", 0.03},
    {"memory_clock_hz_mean", "the GPU's memory ran at another clock", 0.03},
    {"power_limit_w", "another power limit", 0.01},
    {"mig", "the GPU is split into instances"},
    {"ecc", "error correction takes memory bandwidth"},
    {"pcie_generation_used", "the link to the GPU was slower"},
    {"pcie_width_used", "the link to the GPU was narrower"},
    {"cpu_clock_hz_mean", "the processor ran at another clock", 0.05},
    {"governor", "another governor of the processor's clock"},
    {"power_supply", "on battery many machines slow down"},
    {"cpu_load_percent", "the processor was busier", 0.25},
    {"container", "another kind of container"},
    {"swap_traffic_bytes", "the host swapped", 0.5},
    {"cpu", "another processor feeds the GPU"},
    {"weights", "other weights: the same speed, but for what loading them takes"},
    {"os", "another operating system"},
    {"kernel", "another kernel"},
    {"sdbench_version", "another sdbench"},
    {"git_sha", "another commit of sdbench"},
};

} // namespace

std::span<const LikelyCause> likely_causes() {
  return kCauses;
}

} // namespace sdbench

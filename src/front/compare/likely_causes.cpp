#include "sdbench/front/compare/likely_causes.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/base/config/work_field_table.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/record/work_record.h"

namespace sdbench {
namespace {

// Order: the work first, because rows of different work cannot be compared in speed; then the
// device; then the requested settings by their usual effect; then the software; then troubles
// during the run.
constexpr LikelyCause kModel = {"model", "another network: the rows are not the same work"};

constexpr LikelyCause kBeforeAxes[] = {
    {"parallel_role", "one is a part or the sum of several devices"},
    {"parallel_devices", "another number of devices"},
    {"device_kind", "one is a processor, one a GPU"},
    {"device_name", "another device"},
    {"data", "another data set"},
    {"data_identity", "other images or labels: losses and accuracies of different data sets"},
    {"dtype_unet", "number formats differ by a factor of two and more"},
    {"dtype_vae", "another number format of the VAE"},
    {"dtype_text", "another number format of the text encoders"},
    {"flags", "warnings of the measurement"},
    {"throttle_reasons", "the clocks were reduced"},
    {"gpu_processes", "another program used the GPU"},
    {"busy_programs", "other programs used the processors"},
    {"tags", "facts that --tag gave"},
    {"slurm_sharing", "other jobs may have been on the node"},
    {"engine_revision", "the engine was changed in speed between the two"},
};

constexpr LikelyCause kBehindAxes[] = {
    {"vae_tiles", "tiles overlap, which is more work for the VAE"},
    {"data_place", "batches are copied from the host, or made on the device"},
    {"share", "the devices divide the work in another way"},
    {"cpu_share", "another share of the cores"},
    {"threads", "another number of threads"},
    {"core_count", "another number of cores"},
    {"core_list", "other cores, which may share a core's units or be of another kind"},
    {"openmp_config", "OpenMP's threads are bound in another way, or wait in another way"},
    {"instruction_config", "other instructions of the processor may be used"},
    {"cuda_config", "variables of the environment change how CUDA and its libraries compute"},
    {"runtime_version", "another version of the runtime, with other kernels"},
    {"cudnn_version", "another cuDNN, with other algorithms"},
    {"cuda_runtime_version", "another CUDA runtime"},
    {"driver_version", "another driver"},
    {"sm_clock_hz_mean", "the GPU ran at another clock", 0.03},
    {"memory_clock_hz_mean", "the GPU's memory ran at another clock", 0.03},
    {"power_limit_w", "another power limit", 0.01},
    {"mig", "the GPU is split into instances"},
    {"gpu_virtualisation", "one GPU is used through a virtual machine in another way"},
    {"ecc", "error correction takes memory bandwidth"},
    {"external_link", "one GPU is outside of its machine, behind a slower link"},
    {"vbios_version", "another firmware of the GPU, with other clocks and limits"},
    {"board_id", "another maker's board, with other clocks and cooling"},
    {"kernel_module", "another kind of the driver's kernel module"},
    {"bar1_bytes", "the processor reaches another part of the GPU's memory at once (BAR1)"},
    {"pcie_generation_used", "the link to the GPU was slower"},
    {"pcie_width_used", "the link to the GPU was narrower"},
    {"cpu_clock_hz_mean", "the processor ran at another clock", 0.05},
    {"governor", "another governor of the processor's clock"},
    {"preloaded", "another library is loaded first, which may be an allocator or OpenMP"},
    {"power_supply", "on battery many machines slow down"},
    {"cpu_load_percent", "the processor was busier", 0.25},
    {"container", "another kind of container"},
    {"swap_traffic_bytes", "the host swapped", 0.5},
    {"cpu", "another processor feeds the GPU"},
    {"weights", "other weights: the same speed, except for loading"},
    {"prompt_sha256", "other prompts: the same speed"},
    {"os", "another operating system"},
    {"kernel", "another kernel"},
    {"sdbench_version", "another sdbench"},
    {"git_sha", "another commit of sdbench"},
};

} // namespace

std::string compared_text(FieldName field, std::string text) {
  return field == FieldName("task") && text.empty() ? std::string(task_row_of(text).name) : text;
}

std::span<const LikelyCause> likely_causes() {
  static const std::vector<LikelyCause> causes = [] {
    std::vector<LikelyCause> all = {kModel};
    for (const WorkField& field : kWorkFields) {
      all.push_back({record_field(field), field.cause});
    }
    std::ranges::copy(kBeforeAxes, std::back_inserter(all));
    for (const EngineAxis& axis : engine_axes()) {
      all.push_back({FieldName::of(telling_field(axis)), axis.cause});
    }
    all.insert(all.end(), std::begin(kBehindAxes), std::end(kBehindAxes));
    return all;
  }();
  return causes;
}

} // namespace sdbench

#include "sdbench/base/config/engine_axis_table.h"

#include <algorithm>
#include <stdexcept>

#include "sdbench/base/config/other_engine_table.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/own_engines.h"

// The only table of axes. A new axis needs a row here, a member of EngineAxes (and of EngineUse, if
// the worker reports it), and its fields of the record.

namespace sdbench {
namespace {

/// Our engines, then external ones.
std::vector<std::string> engine_names() {
  std::vector<std::string> names = mapped<std::string>(other_engine_table(), &EngineRow::name);
  names.insert(names.begin(), {std::string(kTunedEngine), std::string(kPlainEngine)});
  return names;
}

using A = EngineAxes;
using U = EngineUse;

constexpr Task kOfPictures[] = {Task::kGenerate};
constexpr Task kWithoutGradients[] = {Task::kGenerate, Task::kInfer};

const std::vector<EngineAxis>& table() {
  static const std::vector<EngineAxis> axes = {
      {.name = "engine",
       .asked = &A::engine,
       .choices = engine_names(),
       .id_default = kTunedEngine,
       .choices_words = "tuned, plain, all, or a name in 'list engines'",
       .words = "engine",
       .cause = "another engine",
       .changes_pictures = true},
      {.name = "attention",
       .asked = &A::attention,
       .used = &U::attention,
       .choices = {"auto", "math", "sliced", "efficient", "flash", "cudnn", "own", "sdpa",
                   "xformers"},
       .of_others = {"sdpa", "xformers"},
       .id_default = "auto",
       .words = "attention",
       .cause = "another attention kernel",
       .changes_pictures = true,
       .tasks = kOfPictures},
      {.name = "memory_format",
       .asked = &A::memory_format,
       .used = &U::memory_format,
       .choices = {"auto", "contiguous", "channels-last"},
       .id_default = "auto",
       .words = "memory format",
       .cause = "channels-last suits tensor cores and oneDNN",
       .changes_pictures = true},
      {.name = "packed_weights",
       .asked = &A::packed_weights,
       .used = &U::packed_weights,
       .choices = {"auto", "winograd", "onednn", "off"},
       .id_default = "auto",
       .help = "layout of weights on a CPU",
       .words = "packed weights",
       .cause = "other kernels compute linear layers and convolutions",
       .changes_pictures = true,
       .tasks = kWithoutGradients},
      {.name = "host_allocator",
       .asked = &A::host_allocator,
       .used = &U::host_allocator,
       .choices = {"auto", "system", "caching"},
       .id_default = "auto",
       .help = "caching keeps freed memory",
       .words = "host allocator",
       .cause = "kept memory need not be requested and cleared again"},
      {.name = "kv_cache",
       .asked = &A::kv_cache,
       .used = &U::kv_cache,
       .choices = {"auto", "on", "off"},
       .id_default = "auto",
       .help = "cache text keys and values per prompt",
       .words = "KV cache",
       .cause = "the text's keys and values are computed once per prompt, or in each step",
       .tasks = kOfPictures},
      {.name = "time_cache",
       .asked = &A::time_cache,
       .used = &U::time_cache,
       .choices = {"auto", "on", "off"},
       .id_default = "auto",
       .help = "precompute all steps' time embeddings",
       .words = "time cache",
       .cause = "the time embeddings are computed once for all steps, or in each step",
       .changes_pictures = true,
       .tasks = kOfPictures},
      {.name = "shared_prefix",
       .asked = &A::shared_prefix,
       .used = &U::shared_prefix,
       .choices = {"auto", "on", "off"},
       .id_default = "auto",
       .help = "share first layers of guidance's halves",
       .words = "shared prefix",
       .cause = "guidance's two halves share the layers before the text enters, or not",
       .changes_pictures = true,
       .tasks = kOfPictures},
      {.name = "graphs",
       .asked = &A::graphs,
       .used = &U::graphs,
       .obstacle = &U::graphs_obstacle,
       .choices = {"auto", "on", "off", "loop"},
       .id_default = "auto",
       .help = "CUDA graphs (loop is one for all)",
       .words = "CUDA graphs",
       .cause = "with a graph the GPU need not wait until the host has launched each kernel",
       .tasks = kOfPictures},
      {.name = "kernels",
       .asked = &A::kernels,
       .used = &U::kernels,
       .obstacle = &U::kernels_obstacle,
       .choices = {"auto", "own", "aten"},
       .id_default = "auto",
       .help = "own: fewer passes over memory",
       .words = "kernels",
       .cause = "sdbench's own kernels read and write less memory than ATen's",
       .changes_pictures = true,
       .tasks = kOfPictures},
      {.name = "tf32",
       .asked = &A::tf32,
       .used = &U::tf32,
       .choices = {"off", "on", "conv"},
       .id_default = "off",
       .help = "TF32 for fp32 products on a GPU",
       .words = "TF32",
       .cause = "TF32 multiplies fp32 several times as fast",
       .changes_pictures = true},
      {.name = "fp16_accumulation",
       .asked = &A::fp16_accumulation,
       .choices = {"off", "on"},
       .id_default = "off",
       .help = "sum fp16 products in fp16 on a GPU",
       .words = "fp16 accumulation",
       .cause = "GeForce cards multiply fp16 twice as fast if they also sum in fp16",
       .changes_pictures = true,
       .came_later = true,
       .tasks = kOfPictures},
      {.name = "cudnn_benchmark",
       .asked = &A::cudnn_benchmark,
       .choices = {"off", "on"},
       .id_default = "off",
       .help = "let cuDNN time its algorithms in the first image",
       .words = "cuDNN benchmark",
       .cause = "cuDNN may have chosen other algorithms",
       .changes_pictures = true},
      {.name = "offload",
       .asked = &A::offload,
       .choices = {"none", "stages"},
       .id_default = "none",
       .help = "what is moved off the device while idle",
       .words = "offload",
       .cause = "weights are moved in every run",
       .changes_pictures = true,
       .tasks = kOfPictures},
      {.name = "vae_tiling",
       .asked = &A::vae_tiling,
       .choices = {"off", "on"},
       .id_default = "off",
       .help = "decode large images in overlapping tiles (off)",
       .words = "VAE tiling",
       .cause = "tiles overlap, which is more work for the VAE",
       .changes_pictures = true,
       .is_flag = true,
       .tasks = kOfPictures},
      {.name = "dynamic_shapes",
       .asked = &A::dynamic_shapes,
       .choices = {"off", "on"},
       .of_others = {"on"},
       .id_default = "off",
       .help = "compile for any size, in other engines",
       .words = "dynamic shapes",
       .cause = "an engine made for every size and batch cannot be tuned to one of them",
       .came_later = true,
       .tasks = kOfPictures},
  };
  return axes;
}

} // namespace

std::span<const EngineAxis> engine_axes() {
  return table();
}

std::vector<std::string_view> axis_names() {
  return mapped(engine_axes(), &EngineAxis::name);
}

const EngineAxis& axis_named(std::string_view name) {
  const auto found = std::ranges::find(table(), name, &EngineAxis::name);
  if (found == table().end()) {
    throw std::out_of_range("no axis is named " + std::string(name));
  }
  return *found;
}

std::vector<std::string> own_choices(const EngineAxis& axis) {
  return filtered(axis.choices, [&](const std::string& choice) {
    return std::ranges::find(axis.of_others, choice) == axis.of_others.end();
  });
}

bool is_usual_choice(std::string_view name, std::string_view value) {
  return std::ranges::any_of(table(), [&](const EngineAxis& axis) {
    return axis.name == name && axis.id_default == value;
  });
}

bool has_axis(Task task, const EngineAxis& axis) {
  return axis.tasks.empty() || std::ranges::find(axis.tasks, task) != axis.tasks.end();
}

std::string recorded_choice(const EngineAxes& asked, const EngineAxis& axis, Task task) {
  if (!has_axis(task, axis)) {
    return "";
  }
  const std::string& choice = asked.*axis.asked;
  return axis.came_later && choice == axis.choices.front() ? "" : choice;
}

std::string option_name(const EngineAxis& axis) {
  std::string name(axis.name);
  std::ranges::replace(name, '_', '-');
  return name;
}

std::string telling_field(const EngineAxis& axis) {
  return std::string(axis.name) + (axis.used != nullptr ? "_used" : "");
}

} // namespace sdbench

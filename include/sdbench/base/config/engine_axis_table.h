#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/types/task_table.h"

namespace sdbench {

/// The engine options as the user set them. They determine how a cell (one measurement) is
/// computed, but not what is computed. Each member is the option of `sdbench run` with the same
/// name. An option may change the speed, but never the work (CellWork in work_field_table.h).
/// engine_axes() lists the possible values.
struct EngineAxes {
  std::string engine = "tuned";
  std::string attention = "auto"; ///< attention kernel or algorithm
  /// Memory layout of image tensors: contiguous (NCHW) or channels-last.
  std::string memory_format = "auto";
  /// On a CPU: the kernels for which weights are packed (reordered) when the model is loaded.
  std::string packed_weights = "auto";
  /// caching: the process keeps freed memory; system: it does not.
  std::string host_allocator = "auto";
  std::string kv_cache = "auto"; ///< on: caches the cross-attention keys and values of each prompt
  /// on: computes the time embeddings of all steps in advance.
  std::string time_cache = "auto";
  /// Classifier-free guidance doubles the batch; its halves are equal until the UNet's first
  /// cross-attention. on: until there, only one half is computed.
  std::string shared_prefix = "auto";
  std::string graphs = "auto"; ///< CUDA graphs; on: one for each UNet call; loop: one for all steps
  /// own: sdbench's kernels for norms, GEGLU and, on a GPU, scheduler steps; aten: libtorch's.
  std::string kernels = "auto";
  /// Which fp32 products may use TF32: off, on (all) or conv (convolutions).
  std::string tf32 = "off";
  /// on: a GPU sums the matrix products of fp16 numbers in fp16, not in fp32.
  std::string fp16_accumulation = "off";
  std::string cudnn_benchmark = "off"; ///< on: cuDNN times its algorithms and takes the fastest
  /// stages: only the running part (text encoder, UNet or VAE) is on the device.
  std::string offload = "none";
  std::string vae_tiling = "off";
  /// on: an external engine compiles the model for a range of image and batch sizes.
  std::string dynamic_shapes = "off";
};

/// The engine settings that a worker actually used, as the record's fields spell them. A member is
/// empty if the worker does not report that setting.
struct EngineUse {
  std::string attention;      ///< kernels of the UNet's self-attention: "flash", "cudnn+flash"
  std::string memory_format;  ///< see docs/record.md
  std::string packed_weights; ///< see docs/record.md
  std::string host_allocator; ///< "system", "caching"
  std::string kv_cache;       ///< "on" (keys and values were cached per prompt), "off"
  std::string time_cache;     ///< "on" (all time embeddings were computed in advance), "off"
  /// "on" (both halves of the doubled batch shared the UNet's first layers), "off".
  std::string shared_prefix;
  std::string graphs; ///< "off", "on" (one graph per UNet call), "loop" (one for all steps)
  std::string graphs_obstacle;  ///< reason if graphs were not used as requested; else empty
  std::string kernels;          ///< "own", "aten"
  std::string kernels_obstacle; ///< reason if sdbench's kernels were wanted but unused; else empty
  /// The requested value if a stage computed in fp32 on a device with TF32; else "off".
  std::string tf32;
};

/// Description of one engine option (axis). Command-line options, messages, records, row ids and
/// texts about the axis are all generated from this struct.
struct EngineAxis {
  /// "kv_cache": the option is --kv-cache; the record's fields are kv_cache and kv_cache_used.
  std::string_view name;
  std::string EngineAxes::*asked = nullptr;
  std::string EngineUse::*used = nullptr;     ///< nullptr: workers do not report the used value
  std::string EngineUse::*obstacle = nullptr; ///< nullptr: workers do not report an obstacle
  std::vector<std::string> choices;           ///< all possible values; the first is the default
  std::vector<std::string> of_others = {};    ///< choices that only external engines support
  /// The axis's default at the time when the axis was added. It must never change: row ids leave
  /// out this value, so another value would change the ids of existing rows.
  std::string_view id_default;
  std::string_view help = {}; ///< text of --help before the list of choices
  /// Replaces a long list of choices in --help; empty: the list is shown.
  std::string_view choices_words = {};
  std::string_view words = {}; ///< the axis's name in texts for people: "KV cache"
  /// Text for people: why two rows with different values of the axis may differ in speed.
  std::string_view cause = {};
  /// True: images of two rows are comparable only if both have the same value.
  bool changes_pictures = false;
  bool is_flag = false; ///< true: on the command line, the axis is a flag: --NAME and --no-NAME
  /// True if the axis was added after the first rows existed. A row without a value for the axis
  /// then means the default: old rows lack the axis, and new rows leave out the default.
  bool came_later = false;
  std::span<const Task> tasks = {}; ///< tasks that use the axis; empty: all tasks
};

/// All axes, in the order used by --help, rows and texts.
[[nodiscard]] std::span<const EngineAxis> engine_axes();

/// Names of all axes, in the same order.
[[nodiscard]] std::vector<std::string_view> axis_names();
/// Returns the axis of that name. Throws std::out_of_range for an unknown name.
[[nodiscard]] const EngineAxis& axis_named(std::string_view name);

/// The axis's choices that sdbench's own engines (plain, tuned) support.
[[nodiscard]] std::vector<std::string> own_choices(const EngineAxis& axis);
/// True if `value` is the choice of the axis `name` that ids leave out. Older rows may lack it.
[[nodiscard]] bool is_usual_choice(std::string_view name, std::string_view value);

/// True if the task uses the axis.
[[nodiscard]] bool has_axis(Task task, const EngineAxis& axis);

/// The requested value as a row records it. Empty if the task does not use the axis. Also
/// empty for the axis's default if `came_later` is true.
[[nodiscard]] std::string recorded_choice(const EngineAxes& asked, const EngineAxis& axis,
                                          Task task);

/// The axis's option name without dashes in front: "kv-cache".
[[nodiscard]] std::string option_name(const EngineAxis& axis);
/// Name of the most informative record field of the axis: NAME_used (the used value) if workers
/// report it, else NAME (the requested value).
[[nodiscard]] std::string telling_field(const EngineAxis& axis);

} // namespace sdbench

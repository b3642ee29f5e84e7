#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/types/task.h"

namespace sdbench {

/// The requested ways to compute. Each member is an option of `sdbench run` with the same name. It
/// may change the speed, never the work. engine_axes() lists the values.
struct EngineAxes {
  std::string engine = "tuned";
  std::string attention = "auto";      ///< kernel or algorithm
  std::string memory_format = "auto";  ///< of images
  std::string packed_weights = "auto"; ///< on a CPU: the kernels for which weights are packed
  std::string host_allocator = "auto"; ///< freed memory stays with the process, or goes back
  std::string kv_cache = "auto";       ///< the text's keys and values, computed once for a prompt
  std::string time_cache = "auto";     ///< the time embedding's terms, computed once for all steps
  std::string shared_prefix = "auto";  ///< the common part of guidance's halves, computed once
  std::string graphs = "auto";         ///< CUDA graphs of UNet calls, or of all steps
  std::string kernels = "auto";        ///< of norms and GEGLU; on a GPU also of scheduler steps
  std::string tf32 = "off";            ///< fp32 products that may be TF32
  std::string cudnn_benchmark = "off"; ///< cuDNN tries its algorithms
  std::string offload = "none";        ///< text encoder, UNet and VAE take turns on the device
  std::string vae_tiling = "off";
  std::string dynamic_shapes = "off"; ///< an external engine prepares for more than one shape
};

/// What a worker really used, in the words of the record's fields. Empty if the worker does not
/// report it.
struct EngineUse {
  std::string attention;        ///< of the UNet's self-attention: "flash", "cudnn+flash"
  std::string memory_format;    ///< see docs/record.md
  std::string packed_weights;   ///< see docs/record.md
  std::string host_allocator;   ///< "system", "caching"
  std::string kv_cache;         ///< "on": computed once for a prompt, "off"
  std::string time_cache;       ///< "on": computed once for all steps, "off"
  std::string shared_prefix;    ///< "on": guidance's halves were one up to the text, "off"
  std::string graphs;           ///< "off", "on" (UNet calls), "loop"
  std::string graphs_obstacle;  ///< why not as requested; else empty
  std::string kernels;          ///< "own", "aten"
  std::string kernels_obstacle; ///< why not our own kernels although requested; else empty
  std::string tf32;             ///< as requested, if a stage's fp32 really runs in TF32
};

/// All facts about an axis. Options, messages, records, ids and texts about them are made from it.
struct EngineAxis {
  std::string_view name; ///< "kv_cache": option --kv-cache, field kv_cache, field kv_cache_used
  std::string EngineAxes::*asked = nullptr;
  std::string EngineUse::*used = nullptr;     ///< null: workers do not report it
  std::string EngineUse::*obstacle = nullptr; ///< null: no obstacle is reported
  std::vector<std::string> choices;           ///< the first is the default
  std::vector<std::string> of_others = {};    ///< those choices that our engines lack
  /// The value that ids leave out: the default when the axis was added. It must never change,
  /// because all ids would change with it.
  std::string_view id_default;
  std::string_view help = {};          ///< text of --help, without the choices, which precede it
  std::string_view choices_words = {}; ///< replaces the choices in --help if there are too many
  std::string_view words = {};         ///< "KV cache": in notes and names, before the value
  std::string_view cause = {};         ///< why two rows that differ in it differ in speed
  bool changes_pictures = false;       ///< pictures are comparable only with the same value
  bool is_flag = false;                ///< on the command line: --NAME and --no-NAME
  /// Written to a row only when it differs from the default, so that older rows keep their meaning.
  bool came_later = false;
  std::span<const Task> tasks = {}; ///< tasks that have it; empty: all
};

/// The axes, in the order of the help, of rows and of texts.
[[nodiscard]] std::span<const EngineAxis> engine_axes();

[[nodiscard]] std::vector<std::string_view> axis_names();
/// Throws std::out_of_range for an unknown name.
[[nodiscard]] const EngineAxis& axis_named(std::string_view name);

/// The choices that our engines have.
[[nodiscard]] std::vector<std::string> own_choices(const EngineAxis& axis);

/// True if the task has the axis.
[[nodiscard]] bool has_axis(Task task, const EngineAxis& axis);

/// The requested value in the form of rows. Empty if the task lacks the axis, and for the default
/// of an axis with `came_later`.
[[nodiscard]] std::string recorded_choice(const EngineAxes& asked, const EngineAxis& axis,
                                          Task task);

/// The axis in the form of options: "kv-cache".
[[nodiscard]] std::string option_name(const EngineAxis& axis);
/// The record's field with the most information: the used value, or if no field holds that, the
/// requested one.
[[nodiscard]] std::string telling_field(const EngineAxis& axis);

} // namespace sdbench

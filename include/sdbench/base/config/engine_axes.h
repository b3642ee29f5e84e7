#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/core/task.h"

namespace sdbench {

/// How the engine computes, as it is asked for: each member is an option of `sdbench run` with the
/// same name, and may change the speed, never the work. What each may be: engine_axes().
struct EngineAxes {
  std::string engine = "tuned";
  std::string attention = "auto";      ///< whose kernel, or in which way
  std::string memory_format = "auto";  ///< of images
  std::string packed_weights = "auto"; ///< on a CPU, for whose kernels
  std::string host_allocator = "auto"; ///< whether freed memory stays with the process
  std::string kv_cache = "auto";       ///< the text's keys and values once a prompt
  std::string time_cache = "auto";     ///< what time adds once for all steps
  std::string shared_prefix = "auto";  ///< what both halves of guidance share once
  std::string graphs = "auto";         ///< CUDA graphs of UNet calls, or of all steps
  std::string kernels = "auto";        ///< whose norms and GEGLU, on a GPU also steps
  std::string tf32 = "off";            ///< which products of fp32 may be TF32's
  std::string cudnn_benchmark = "off"; ///< cuDNN tries its algorithms
  std::string offload = "none";        ///< text encoder, UNet and VAE take turns on the device
  std::string vae_tiling = "off";
  std::string dynamic_shapes = "off"; ///< what another's engine makes is for more than one shape
};

/// What became of them in a worker, in the words of the record's fields; empty: not told.
struct EngineUse {
  std::string attention;        ///< of the UNet's self-attention: "flash", "cudnn+flash"
  std::string memory_format;    ///< see docs/record.md
  std::string packed_weights;   ///< see docs/record.md
  std::string host_allocator;   ///< "system", "caching"
  std::string kv_cache;         ///< whether they were made once a prompt: "on", "off"
  std::string time_cache;       ///< whether it was made once for all steps: "on", "off"
  std::string shared_prefix;    ///< whether guidance's halves were one until the text came in
  std::string graphs;           ///< off, on (UNet calls), loop
  std::string graphs_obstacle;  ///< why not as asked; else empty
  std::string kernels;          ///< "own", "aten"
  std::string kernels_obstacle; ///< why not our own, where they were to be; else empty
  std::string tf32;             ///< what asks for it, where the device does a stage's fp32 so
};

/// All that is known of an axis without computing. Options, messages, records, ids and what is said
/// of them are made of it.
struct EngineAxis {
  std::string_view name; ///< "kv_cache": option --kv-cache, field kv_cache, field kv_cache_used
  std::string EngineAxes::*asked = nullptr;
  std::string EngineUse::*used = nullptr;     ///< null: a worker does not tell
  std::string EngineUse::*obstacle = nullptr; ///< null: nothing stands in its way
  std::vector<std::string> choices;           ///< the first is the default
  std::vector<std::string> of_others = {};    ///< those of them that our engines have not
  /// The value that ids leave out. It was the default when the axis came, and never changes, else
  /// all ids would.
  std::string_view id_default;
  std::string_view help = {};          ///< of --help, without the choices, which stand before it
  std::string_view choices_words = {}; ///< there in place of the choices, where they are too many
  std::string_view words = {};         ///< "KV cache": in notes and names, before the value
  std::string_view cause = {};         ///< why two rows that differ in it differ in speed
  bool changes_pictures = false;       ///< pictures are alike only where it was the same
  bool is_flag = false;                ///< on the command line: --NAME and --no-NAME
  /// A row says it only where it is not the default, so that rows from before the axis mean the
  /// same.
  bool came_later = false;
  std::span<const Task> tasks = {}; ///< that have it; none named: all
};

/// The axes, in the order in which help, rows and words tell them.
[[nodiscard]] std::span<const EngineAxis> engine_axes();

[[nodiscard]] std::vector<std::string_view> axis_names();
/// Throws std::out_of_range for no axis' name.
[[nodiscard]] const EngineAxis& axis_named(std::string_view name);

/// The choices that our engines have.
[[nodiscard]] std::vector<std::string> own_choices(const EngineAxis& axis);

/// Whether a task has the axis.
[[nodiscard]] bool has_axis(Task task, const EngineAxis& axis);

/// What a row says was asked for. Empty where the task has not the axis, and for the default of an
/// axis that came later.
[[nodiscard]] std::string recorded_choice(const EngineAxes& asked, const EngineAxis& axis,
                                          Task task);

/// "kv-cache", as options are named.
[[nodiscard]] std::string option_name(const EngineAxis& axis);
/// The record's field that tells most: what was used, or else what was asked for.
[[nodiscard]] std::string telling_field(const EngineAxis& axis);

} // namespace sdbench

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/run_config.h"
#include "sdbench/base/config/sampler_table.h"
#include "sdbench/base/config/scheduler_name.h"
#include "sdbench/base/types/task.h"

namespace sdbench {

/// The work of a cell with its model, independent of the engine.
struct CellWork {
  Task task = Task::kGenerate;
  bool update = false;              ///< for kTrain: with the optimiser's step
  std::string loss = kCrossEntropy; ///< for kTrain: this, or kLogitSum
  /// Only for kTrain. If positive, a run is one epoch over all of the cell's data, and the first is
  /// cold. 0: a run is iterations with one batch.
  std::int64_t epochs = 0;
  std::int64_t width = 512;  ///< pixels
  std::int64_t height = 512; ///< pixels
  std::int64_t steps = 50;   ///< of a batch; for a network 1
  std::int64_t batch = 1;
  std::int64_t images = 1; ///< per run, a multiple of batch except in an epoch
  double guidance = 7.5;
  std::int64_t clip_skip = 0;              ///< last layers of the text encoders to skip
  std::string sampler{kUsualSampler.name}; ///< a name of kSamplers
  TimestepSpacing timestep_spacing = TimestepSpacing::kLinspace;
  bool karras = false;
};

/// All facts about a member of CellWork. Messages, records, ids and texts about work are made from
/// it.
struct WorkField {
  using Member =
      std::variant<Task CellWork::*, bool CellWork::*, std::int64_t CellWork::*, double CellWork::*,
                   std::string CellWork::*, TimestepSpacing CellWork::*>;

  std::string_view name; ///< of the record's field
  Member member;
  /// The option of `sdbench run`, with _ for the dash; ids use the same name. Empty: `name`.
  std::string_view option = {};
  std::string_view message = {}; ///< the member of a request's cell; empty: `option`
  /// Words of a bool in records: for false, then for true.
  std::array<std::string_view, 2> flag_words = {"off", "on"};
  std::span<const Task> tasks = {}; ///< tasks whose rows have it; empty: all
  /// The value that rows omit, so that older rows keep their meaning. If set, rows omit negative
  /// numbers as well. Empty: rows contain every value.
  std::string_view unsaid = {};
  bool in_ids = true;
  std::optional<ModelKind> id_kind = {}; ///< only ids of work of this kind have it; empty: all do
  std::string_view id_default = {};      ///< the value that ids leave out, which never changes
  /// Precedes the value in tables, names and sentences, which mention only unusual values. Empty:
  /// each of these has its own words for the field.
  std::string_view words = {};
  std::string_view cause; ///< why two rows that differ in it differ in speed
  bool changes_pictures = false;
};

inline constexpr Task kWorkOfImages[] = {Task::kGenerate};
inline constexpr Task kWorkOfTraining[] = {Task::kTrain};

/// The one table of work fields, the likeliest cause of other speeds first. A new one is a member
/// of CellWork, a row here, an option, and a field of the record.
inline constexpr WorkField kWorkFields[] = {
    {.name = "task",
     .member = &CellWork::task,
     .id_kind = ModelKind::kNetwork,
     .cause = "another task: the rows are not the same work"},
    {.name = "weight_update",
     .member = &CellWork::update,
     .option = "update",
     .tasks = kWorkOfTraining,
     .id_kind = ModelKind::kNetwork,
     .cause = "the optimiser's step is a part of one alone: the rows are not the same work"},
    {.name = "loss",
     .member = &CellWork::loss,
     .tasks = kWorkOfTraining,
     .unsaid = kCrossEntropy,
     .id_kind = ModelKind::kNetwork,
     .cause = "another loss: the rows are not the same work"},
    {.name = "epochs",
     .member = &CellWork::epochs,
     .tasks = kWorkOfTraining,
     .unsaid = "0",
     .id_kind = ModelKind::kNetwork,
     .cause = "epochs have other batches each time, a first one that is cold, and an end"},
    {.name = "width",
     .member = &CellWork::width,
     .cause = "another size: the rows are not the same work",
     .changes_pictures = true},
    {.name = "height",
     .member = &CellWork::height,
     .cause = "another size: the rows are not the same work",
     .changes_pictures = true},
    {.name = "batch",
     .member = &CellWork::batch,
     .cause = "an it is a step of the whole batch: the rows are not the same work"},
    {.name = "guidance",
     .member = &CellWork::guidance,
     .tasks = kWorkOfImages,
     .id_kind = ModelKind::kPipeline,
     .cause = "above 1 the UNet sees twice the batch, but where it is told the scale",
     .changes_pictures = true},
    {.name = "steps",
     .member = &CellWork::steps,
     .cause = "fixed costs weigh more in short runs",
     .changes_pictures = true},
    {.name = "images",
     .member = &CellWork::images,
     .cause = "a run of several batches is another work"},
    {.name = "scheduler",
     .member = &CellWork::sampler,
     .message = "sampler",
     .tasks = kWorkOfImages,
     .cause = "another sampler",
     .changes_pictures = true},
    {.name = "noise_levels",
     .member = &CellWork::karras,
     .option = "karras",
     .flag_words = {kTrainingLevels, kKarrasLevels},
     .tasks = kWorkOfImages,
     .in_ids = false, // there they are one word with the scheduler
     .cause = "other noise levels, and the same speed",
     .changes_pictures = true},
    {.name = "timestep_spacing",
     .member = &CellWork::timestep_spacing,
     .tasks = kWorkOfImages,
     .cause = "other timesteps, and mostly the same speed",
     .changes_pictures = true},
    {.name = "clip_skip",
     .member = &CellWork::clip_skip,
     .tasks = kWorkOfImages,
     .unsaid = "0",
     .id_default = "0",
     .words = "clip skip",
     .cause = "another state of the text encoders, and the same speed",
     .changes_pictures = true},
};

/// Name of the field's option ("clip-skip"); also its name in requests and ids.
[[nodiscard]] std::string option_name(const WorkField& field);
[[nodiscard]] std::string_view message_name(const WorkField& field);
[[nodiscard]] std::string_view id_name(const WorkField& field);

/// True if rows of the task have the field.
[[nodiscard]] bool has_field(Task task, const WorkField& field);

/// The value in the form of records; empty if the task lacks the field.
[[nodiscard]] std::string value_text(const CellWork& work, const WorkField& field);
/// The same, but empty for a value that rows omit.
[[nodiscard]] std::string recorded_text(const CellWork& work, const WorkField& field);

} // namespace sdbench

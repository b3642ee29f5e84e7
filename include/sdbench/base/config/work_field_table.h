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
#include "sdbench/base/types/task_table.h"

namespace sdbench {

/// The work of a cell (one measurement), without the model. It does not depend on the engine.
struct CellWork {
  Task task = Task::kGenerate;
  bool update = false; ///< kTrain only; true: an iteration ends with the optimiser's step
  std::string loss = kCrossEntropy; ///< kTrain only: kCrossEntropy or kLogitSum
  /// kTrain only. If positive, each run is one epoch (a pass over all training images), and the
  /// first epoch is the cold run. 0: each run repeats one batch.
  std::int64_t epochs = 0;
  std::int64_t width = 512;  ///< pixels
  std::int64_t height = 512; ///< pixels
  std::int64_t steps = 50;   ///< scheduler steps of a batch; 1 for an image classifier
  /// Images computed together.
  std::int64_t batch = 1;
  std::int64_t images = 1; ///< images per run; a multiple of batch, except in an epoch
  double guidance = 7.5;
  std::int64_t clip_skip = 0;              ///< how many of the text encoders' last layers to skip
  std::string sampler{kUsualSampler.name}; ///< a name in kSamplers
  TimestepSpacing timestep_spacing = TimestepSpacing::kLinspace;
  bool karras = false;
};

/// How the plan and the progress of a sweep show a field that differs between its cells.
struct WorkAxis {
  /// Name of the axis, also in columns of a comparison. Empty: WorkField::words; if that is empty
  /// too, the field is no axis.
  std::string_view name = {};
  /// Name of the axis that comes next: one of varying_axes.cpp, or of an earlier row.
  std::string_view before = "seed";
  bool is_said = false;          ///< progress shows the field anyway
  bool is_networks_work = false; ///< a plan with a network shows it even if it does not vary
};

/// Description of one member of CellWork. Messages, records, row ids and texts about the work are
/// generated from these descriptions.
struct WorkField {
  using Member =
      std::variant<Task CellWork::*, bool CellWork::*, std::int64_t CellWork::*, double CellWork::*,
                   std::string CellWork::*, TimestepSpacing CellWork::*>;

  std::string_view name; ///< name of the record's field
  Member member;
  /// Name of the option of `sdbench run`, with "_" instead of "-"; also the name in row ids. Empty:
  /// the same as `name`.
  std::string_view option = {};
  /// Name in messages to the worker; empty: the same as the option's name.
  std::string_view message = {};
  /// How records spell a bool member: the word for false, then the word for true.
  std::array<std::string_view, 2> flag_words = {"off", "on"};
  std::span<const Task> tasks = {}; ///< tasks whose rows contain the field; empty: all tasks
  /// The value that older rows mean, because they lack the field. New rows leave the field empty
  /// for this value and for negative numbers. If `unsaid` is empty, rows contain every value.
  std::string_view unsaid = {};
  /// True if row ids contain the field.
  bool in_ids = true;
  /// Row ids contain the field only for models of this kind; empty: for all models.
  std::optional<ModelKind> id_kind = {};
  std::string_view id_default = {}; ///< row ids leave out this value, which must never change
  /// Tables and sentences put this label before the value; they leave out the value `unsaid`.
  /// Empty: each table and sentence has code of its own for the field.
  std::string_view words = {};
  WorkAxis axis = {};
  /// True: `compare` may add label and value to the names of its columns, to tell these apart.
  bool names_columns = false;
  /// Text for people: why two rows with different values of the field may differ in speed.
  std::string_view cause;
  /// True: images of two rows are comparable only if both have the same value.
  bool changes_pictures = false;
  /// True: what other engines prepare of a model depends on the value, even with open shapes.
  bool changes_models = false;
};

/// Values for WorkField::tasks.
inline constexpr Task kWorkOfImages[] = {Task::kGenerate};
inline constexpr Task kWorkOfTraining[] = {Task::kTrain};

/// The only table of work fields; the fields that most likely explain a different speed come first.
/// A new field needs a member of CellWork, a row here, an option, and a field of the record.
inline constexpr WorkField kWorkFields[] = {
    {.name = "task",
     .member = &CellWork::task,
     .id_kind = ModelKind::kNetwork,
     .axis = {.name = "task", .before = "iterations", .is_said = true, .is_networks_work = true},
     .cause = "another task: the rows are not the same work"},
    {.name = "weight_update",
     .member = &CellWork::update,
     .option = "update",
     .tasks = kWorkOfTraining,
     .id_kind = ModelKind::kNetwork,
     .axis = {.name = "update", .before = "data", .is_networks_work = true},
     .names_columns = true,
     .cause = "only one includes the optimiser's step: the rows are not the same work"},
    {.name = "loss",
     .member = &CellWork::loss,
     .tasks = kWorkOfTraining,
     .unsaid = kCrossEntropy,
     .id_kind = ModelKind::kNetwork,
     .axis = {.name = "loss", .before = "data"},
     .names_columns = true,
     .cause = "another loss: the rows are not the same work"},
    {.name = "epochs",
     .member = &CellWork::epochs,
     .tasks = kWorkOfTraining,
     .unsaid = "0",
     .id_kind = ModelKind::kNetwork,
     .axis = {.name = "epochs", .before = "data", .is_networks_work = true},
     .names_columns = true,
     .cause = "epochs read other batches, the first is cold, and the last batch is smaller"},
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
     .axis = {.name = "guidance"},
     .names_columns = true,
     .cause = "above 1 the UNet computes twice the batch, unless the scale is its input",
     .changes_pictures = true},
    {.name = "steps",
     .member = &CellWork::steps,
     .cause = "fixed costs weigh more in short runs",
     .changes_pictures = true},
    {.name = "images",
     .member = &CellWork::images,
     .cause = "a run of several batches is other work"},
    {.name = "scheduler",
     .member = &CellWork::sampler,
     .message = "sampler",
     .tasks = kWorkOfImages,
     .axis = {.name = "scheduler", .before = "task"},
     .names_columns = true,
     .cause = "another sampler",
     .changes_pictures = true},
    {.name = "noise_levels",
     .member = &CellWork::karras,
     .option = "karras",
     .flag_words = {kTrainingLevels, kKarrasLevels},
     .tasks = kWorkOfImages,
     .in_ids = false, // there they are one word with the scheduler
     .cause = "other noise levels, at the same speed",
     .changes_pictures = true},
    {.name = "timestep_spacing",
     .member = &CellWork::timestep_spacing,
     .tasks = kWorkOfImages,
     .axis = {.name = "spacing", .before = "scheduler"},
     .names_columns = true,
     .cause = "other timesteps, mostly at the same speed",
     .changes_pictures = true},
    {.name = "clip_skip",
     .member = &CellWork::clip_skip,
     .tasks = kWorkOfImages,
     .unsaid = "0",
     .id_default = "0",
     .words = "clip skip",
     .names_columns = true,
     .cause = "another layer of the text encoders, at the same speed",
     .changes_pictures = true,
     .changes_models = true},
};

/// Name of the field's option: "clip-skip".
[[nodiscard]] std::string option_name(const WorkField& field);
/// Name of the field in messages to the worker.
[[nodiscard]] std::string_view message_name(const WorkField& field);
/// Name of the field in row ids: "clip_skip".
[[nodiscard]] std::string_view id_name(const WorkField& field);

/// Label before the field's value in plans of sweeps and in names of columns: "clip skip".
[[nodiscard]] std::string_view label_of(const WorkField& field);
/// True for the sampler. Ids and texts join it with the noise levels (sampler_word()).
[[nodiscard]] bool is_sampler(const WorkField& field);

/// True if rows of the task contain the field.
[[nodiscard]] bool has_field(Task task, const WorkField& field);

/// The field's value as text, spelled as in records; empty if the task does not have the field.
[[nodiscard]] std::string value_text(const CellWork& work, const WorkField& field);
/// Like value_text(), but also empty for values that rows leave empty (WorkField::unsaid).
[[nodiscard]] std::string recorded_text(const CellWork& work, const WorkField& field);

} // namespace sdbench

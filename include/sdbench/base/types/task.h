#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// A model's task. Rows without a task are kGenerate.
enum class Task {
  kGenerate, ///< images from prompts
  kInfer,    ///< a network's answers to batches of images
  kTrain, ///< forward, loss and backward for such batches; with --update also the optimiser's step
};

/// Kinds of models, by the tasks that they can do.
enum class ModelKind {
  kPipeline, ///< makes images from noise and text
  kNetwork,  ///< classifies images
};

/// Values of --share, for devices that run together.
inline constexpr const char* kSharePrompts = "prompts"; ///< a run's batches are divided
inline constexpr const char* kShareBatch = "batch";     ///< each batch is divided, for one network
inline constexpr const char* kShareEach = "each";       ///< every device makes all batches

/// Parts of a training run that only some runs have.
inline constexpr std::string_view kInputPart = "input";          ///< with epochs
inline constexpr std::string_view kAllReducePart = "all_reduce"; ///< with a shared batch

/// Everything about a task for showing and comparing its rows.
struct TaskRow {
  Task task;
  std::string_view name;  ///< of --task, and the record's task
  std::string_view alias; ///< another word for it; empty: none
  ModelKind kind; ///< of the models that can do it; the first task of a kind is its usual one
  std::string_view step;        ///< name of a step for people: "iteration"
  std::string_view step_phrase; ///< what "1 it" is: "one scheduler step"
  std::string_view first_run;   ///< the first, cold run for people: "first image"
  std::string_view batch;       ///< unit in which warm-ups are counted: "image", "iteration"
  std::string_view output;      ///< what a good output is
  std::string_view oracle;      ///< source of the golden check's numbers
  /// The most informative fields of a good row. The first, a rate, is for comparing rows.
  std::span<const std::string_view> figures;
  /// The record's fields for compare --fail-if-slower, if --metric names none.
  std::span<const std::string_view> judged;
  std::span<const std::string_view> parts;  ///< of a run, in order; those of the record's raw times
  std::span<const std::string_view> shares; ///< values of --share, the usual one first
};

/// A row for each task.
[[nodiscard]] std::span<const TaskRow> task_table();
[[nodiscard]] const TaskRow& row_of(Task task);
/// Finds a task by name or alias. Empty means kGenerate, because the first rows have no task.
/// nullopt for an unknown word.
[[nodiscard]] std::optional<Task> task_named(std::string_view name);
/// The row of a record's task; that of kGenerate for an unknown word.
[[nodiscard]] const TaskRow& task_row_of(std::string_view name);
[[nodiscard]] inline std::string_view name_of(Task task) {
  return row_of(task).name;
}

/// Tasks that models of a kind can do, the usual one first: "infer", "train".
[[nodiscard]] std::vector<std::string> tasks_of(ModelKind kind);
[[nodiscard]] Task usual_task(ModelKind kind);

/// "50 steps, batch 1"; for a network "batch 16, 20 iterations". A count of 0 is unknown.
[[nodiscard]] std::string work_text(Task task, std::int64_t steps, std::int64_t images,
                                    std::int64_t batch);

/// Arithmetic of an iteration, in forward passes. Backward counts as two: each layer needs one
/// product for the gradient of its input and one for that of its weights.
[[nodiscard]] constexpr double passes_of(Task task) {
  return task == Task::kTrain ? 3 : 1;
}

/// True if the task's models are pipelines.
[[nodiscard]] inline bool makes_images(Task task) {
  return row_of(task).kind == ModelKind::kPipeline;
}

} // namespace sdbench

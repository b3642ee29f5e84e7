#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// What a model is asked to do. The first is that of rows which do not say.
enum class Task {
  kGenerate, ///< images of prompts
  kInfer,    ///< a network's answers to batches of images
  kTrain,    ///< forward, loss and backward of such batches, with --update the optimiser's step
};

/// The kinds of models, by what they can.
enum class ModelKind {
  kPipeline, ///< makes images of noise and text
  kNetwork,  ///< classifies images
};

/// Values of --share, for devices that run together.
inline constexpr const char* kSharePrompts = "prompts"; ///< a run's batches are shared out, whole
inline constexpr const char* kShareBatch = "batch";     ///< each batch is shared, by one network
inline constexpr const char* kShareEach = "each";       ///< every device makes all batches

/// Parts of a run of training that not every such run has.
inline constexpr std::string_view kInputPart = "input";          ///< of epochs
inline constexpr std::string_view kAllReducePart = "all_reduce"; ///< of a shared batch

/// All that is said of a task, wherever its rows are shown or compared.
struct TaskRow {
  Task task;
  std::string_view name;        ///< of --task, and the record's task
  std::string_view alias;       ///< another word for it; empty: none
  ModelKind kind;               ///< of the models that can do it; of each kind the first is usual
  std::string_view step;        ///< what a step is for people: "iteration"
  std::string_view step_phrase; ///< what one it is: "one scheduler step"
  std::string_view first_run;   ///< the first, cold run for people: "first image"
  std::string_view batch;       ///< what a warm-up is counted in: "image", "iteration"
  std::string_view output;      ///< what a good output is
  std::string_view oracle;      ///< whose numbers the golden check holds it to
  /// The record's fields that tell most of a good row. By the first, a rate, rows are compared.
  std::span<const std::string_view> figures;
  /// The record's fields that compare --fail-if-slower judges, where --metric names none.
  std::span<const std::string_view> judged;
  std::span<const std::string_view> parts;  ///< of a run, in order; those of the record's raw times
  std::span<const std::string_view> shares; ///< values of --share, the usual one first
};

/// A row for each task.
[[nodiscard]] std::span<const TaskRow> task_table();
[[nodiscard]] const TaskRow& row_of(Task task);
/// By name or alias; empty is kGenerate, for the first rows have no task. None for another word.
[[nodiscard]] std::optional<Task> task_named(std::string_view name);
/// The row of a record's task; of a word that nobody knows that of kGenerate.
[[nodiscard]] const TaskRow& task_row_of(std::string_view name);
[[nodiscard]] inline std::string_view name_of(Task task) {
  return row_of(task).name;
}

/// "infer", "train": what models of a kind can do, the usual one first.
[[nodiscard]] std::vector<std::string> tasks_of(ModelKind kind);
[[nodiscard]] Task usual_task(ModelKind kind);

/// "50 steps, batch 1"; of a network "batch 16, 20 iterations". A count of 0 is not known.
[[nodiscard]] std::string work_text(Task task, std::int64_t steps, std::int64_t images,
                                    std::int64_t batch);

/// Forward passes that an iteration's arithmetic is as much as. Backward counts for two: of each
/// layer the gradients of its input and of its weights are a product each.
[[nodiscard]] constexpr double passes_of(Task task) {
  return task == Task::kTrain ? 3 : 1;
}

/// Whether all models of the task's kind are pipelines.
[[nodiscard]] inline bool makes_images(Task task) {
  return row_of(task).kind == ModelKind::kPipeline;
}

} // namespace sdbench

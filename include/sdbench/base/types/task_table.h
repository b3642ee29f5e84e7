#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// What a model is run for. A row of results without a task counts as kGenerate.
enum class Task {
  kGenerate, ///< generates images from prompts
  kInfer,    ///< classifies batches of images (forward pass only)
  /// Trains a classifier on batches: forward pass, loss and backward pass; with --update also the
  /// optimiser's step.
  kTrain,
};

/// Kinds of models, which differ in the tasks that they can do.
enum class ModelKind {
  kPipeline, ///< diffusion pipeline: generates images from noise and text
  kNetwork,  ///< network: an image classifier
};

/// Values of --share, which determines how devices that run together divide the work.
inline constexpr const char* kSharePrompts = "prompts"; ///< each device gets some of the batches
/// Each device computes a part of each batch, to train one network.
inline constexpr const char* kShareBatch = "batch";
inline constexpr const char* kShareEach = "each"; ///< every device computes all batches

/// Names of the parts of a run that only some training runs have.
inline constexpr std::string_view kInputPart = "input"; ///< loading of images; only with epochs
/// The exchange of gradients; only if devices share each batch.
inline constexpr std::string_view kAllReducePart = "all_reduce";

/// Properties of a task that are needed to show and compare its rows of results.
struct TaskRow {
  Task task;
  std::string_view name;  ///< name in --task and in the record's field task
  std::string_view alias; ///< second name that --task accepts; empty if there is no such name
  /// Kind of the models that can do the task. Of the tasks with the same kind, the first is the
  /// default.
  ModelKind kind;
  std::string_view step;        ///< name of a step in texts for people: "step", "iteration"
  std::string_view step_phrase; ///< meaning of one "it" of it/s: "one scheduler step"
  std::string_view first_run;   ///< name of the first, cold run in texts for people: "first image"
  std::string_view batch;       ///< word after "warm-up" in texts for people: "image", "iteration"
  std::string_view output;      ///< description of a valid output: "finite answers"
  std::string_view oracle;      ///< program that computed the golden values: "diffusers", "PyTorch"
  /// The most important fields of a successful row. The first one is a rate, which is used to
  /// compare rows.
  std::span<const std::string_view> figures;
  /// The record's fields that `compare --fail-if-slower` checks unless --metric is given.
  std::span<const std::string_view> judged;
  /// Parts of a run in the order in which they happen; the record has raw times for each part.
  std::span<const std::string_view> parts;
  /// Values of --share for this task; the first is the default.
  std::span<const std::string_view> shares;
};

/// The properties of all tasks.
[[nodiscard]] std::span<const TaskRow> task_table();
[[nodiscard]] const TaskRow& row_of(Task task);
/// Finds a task by its name or alias. An empty name means kGenerate, because the oldest rows have
/// no task. nullopt for an unknown name.
[[nodiscard]] std::optional<Task> task_named(std::string_view name);
/// The properties of the task that a record names; those of kGenerate for an unknown name.
[[nodiscard]] const TaskRow& task_row_of(std::string_view name);
[[nodiscard]] inline std::string_view name_of(Task task) {
  return row_of(task).name;
}

/// Names of the tasks that models of a kind can do, the default first: "infer", "train".
[[nodiscard]] std::vector<std::string> tasks_of(ModelKind kind);
/// The default task of models of a kind.
[[nodiscard]] Task usual_task(ModelKind kind);

/// The work as text: "50 steps, batch 1", or for an image classifier "batch 16, 20 iterations".
/// 0 means that a count is unknown.
[[nodiscard]] std::string work_text(Task task, std::int64_t steps, std::int64_t images,
                                    std::int64_t batch);

/// Number of operations in one iteration, as a multiple of those in a forward pass. A backward pass
/// counts as two forward passes: in each layer the gradient of the input costs as much as a forward
/// pass, and so does the gradient of the weights.
[[nodiscard]] constexpr double passes_of(Task task) {
  return task == Task::kTrain ? 3 : 1;
}

/// True if the task's models are diffusion pipelines, which generate images.
[[nodiscard]] inline bool makes_images(Task task) {
  return row_of(task).kind == ModelKind::kPipeline;
}

} // namespace sdbench

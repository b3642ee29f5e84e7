#include "sdbench/base/types/task_table.h"

#include <algorithm>
#include <iterator>

#include "sdbench/base/numbers/units.h"
#include "sdbench/base/text/listed.h"

// The only table of tasks: tables, comparisons and pages use it, and name no task themselves.

namespace sdbench {
namespace {

constexpr std::string_view kImageFigures[] = {"images_per_min", "unet_it_s", "e2e_s"};
constexpr std::string_view kInferFigures[] = {"images_per_s", "step_s_mean", "achieved_tflops"};
constexpr std::string_view kTrainFigures[] = {"images_per_s",  "step_s_mean",    "achieved_tflops",
                                              "epoch_s_first", "epoch_s_median", "accuracy"};
constexpr std::string_view kJudgedOfImages[] = {
    "unet_it_s",      "vae_s", "e2e_s", "first_image_s", "peak_device_allocated_bytes",
    "peak_host_bytes"};
constexpr std::string_view kJudgedOfNetworks[] = {"images_per_s", "e2e_s", "first_image_s",
                                                  "peak_device_allocated_bytes", "peak_host_bytes"};
constexpr std::string_view kImageParts[] = {"text", "unet", "vae"};
constexpr std::string_view kInferParts[] = {"forward"};
constexpr std::string_view kTrainParts[] = {kInputPart, "forward", "backward", kAllReducePart,
                                            "update"};
constexpr std::string_view kShares[] = {kSharePrompts, kShareEach};
constexpr std::string_view kTrainShares[] = {kShareBatch, kShareEach};

constexpr TaskRow kTasks[] = {
    {.task = Task::kGenerate,
     .name = "generate",
     .alias = "",
     .kind = ModelKind::kPipeline,
     .step = "step",
     .step_phrase = "one scheduler step",
     .first_run = "first image",
     .batch = "image",
     .output = "finite, and not one colour",
     .oracle = "diffusers",
     .figures = kImageFigures,
     .judged = kJudgedOfImages,
     .parts = kImageParts,
     .shares = kShares},
    {.task = Task::kInfer,
     .name = "infer",
     .alias = "eval",
     .kind = ModelKind::kNetwork,
     .step = "iteration",
     .step_phrase = "one batch, forward",
     .first_run = "first run",
     .batch = "iteration",
     .output = "finite answers",
     .oracle = "PyTorch",
     .figures = kInferFigures,
     .judged = kJudgedOfNetworks,
     .parts = kInferParts,
     .shares = kShares},
    {.task = Task::kTrain,
     .name = "train",
     .alias = "",
     .kind = ModelKind::kNetwork,
     .step = "iteration",
     .step_phrase = "one batch, forward and backward",
     .first_run = "first run",
     .batch = "iteration",
     .output = "finite losses",
     .oracle = "PyTorch",
     .figures = kTrainFigures,
     .judged = kJudgedOfNetworks,
     .parts = kTrainParts,
     .shares = kTrainShares},
};

} // namespace

std::span<const TaskRow> task_table() {
  return kTasks;
}

const TaskRow& row_of(Task task) {
  return *std::ranges::find(kTasks, task, &TaskRow::task);
}

std::optional<Task> task_named(std::string_view name) {
  if (name.empty()) {
    return Task::kGenerate;
  }
  const auto* const found = std::ranges::find_if(
      kTasks, [&](const TaskRow& row) { return row.name == name || row.alias == name; });
  return found == std::end(kTasks) ? std::nullopt : std::optional(found->task);
}

const TaskRow& task_row_of(std::string_view name) {
  return row_of(task_named(name).value_or(Task::kGenerate));
}

std::vector<std::string> tasks_of(ModelKind kind) {
  const auto is_of_kind = [&](const TaskRow& row) { return row.kind == kind; };
  return mapped_if<std::string>(kTasks, is_of_kind, &TaskRow::name);
}

std::string work_text(Task task, std::int64_t steps, std::int64_t images, std::int64_t batch) {
  const std::string step(row_of(task).step);
  if (makes_images(task)) {
    return (steps > 0 ? counted(steps, step) + ", " : "") + batches_text(images, batch);
  }
  return "batch " + std::to_string(batch) +
         (batch > 0 ? ", " + counted(batch_count(images, batch), step) : "");
}

Task usual_task(ModelKind kind) {
  return std::ranges::find(kTasks, kind, &TaskRow::kind)->task;
}

} // namespace sdbench

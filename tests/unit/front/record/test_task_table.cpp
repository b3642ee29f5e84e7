#include "sdbench/base/types/task_table.h"

#include "catch.h"
#include "sdbench/front/record/field_access.h"

using namespace sdbench;

TEST_CASE("a task has its name and its other word") {
  for (const TaskRow& row : task_table()) {
    CHECK(task_named(row.name) == row.task);
  }
  CHECK(task_named("eval") == Task::kInfer);
  CHECK_FALSE(task_named("learn"));
}

TEST_CASE("a row of before, which has no task, generates") {
  CHECK(task_named("") == Task::kGenerate);
  CHECK(task_row_of("a word of tomorrow").task == Task::kGenerate);
}

TEST_CASE("rows of each task are compared by a field of the record") {
  for (const TaskRow& row : task_table()) {
    CHECK(find_field(row.figures.front()));
  }
}

TEST_CASE("the usual task of a kind is the first that it can do") {
  CHECK(usual_task(ModelKind::kPipeline) == Task::kGenerate);
  CHECK(usual_task(ModelKind::kNetwork) == Task::kInfer);
  CHECK(tasks_of(ModelKind::kNetwork) == std::vector<std::string>{"infer", "train"});
}

TEST_CASE("work is told in the words of its task") {
  CHECK(work_text(Task::kGenerate, 50, 1, 1) == "50 steps, batch 1");
  CHECK(work_text(Task::kGenerate, 0, 8, 4) == "8 images in batches of 4");
  CHECK(work_text(Task::kTrain, 1, 320, 16) == "batch 16, 20 iterations");
  CHECK(work_text(Task::kInfer, 1, 16, 16) == "batch 16, 1 iteration");
}

#include "sdbench/front/words/engine_words.h"

#include "catch.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/front/record/build_record.h"

using namespace sdbench;

TEST_CASE("what is asked for is named as in a row of which nothing has run") {
  for (const Task task : {Task::kGenerate, Task::kTrain, Task::kInfer}) {
    for (const EngineAxis& axis : engine_axes()) {
      for (const std::string& choice : axis.choices) {
        Cell cell;
        cell.task = task;
        cell.*axis.asked = choice;
        INFO(name_of(task) << " " << axis.name << " " << choice);
        CHECK(asked_engine_words(cell, task) == engine_words(build_record(cell, {}, {})));
      }
    }
  }
}

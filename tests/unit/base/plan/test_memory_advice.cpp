#include "sdbench/base/plan/memory_advice.h"

#include "catch.h"

using namespace sdbench;

TEST_CASE("advice for want of memory names the options that the task has") {
  CHECK(memory_advice(Task::kGenerate) ==
        "use a smaller model, --size, --batch or --images, --dtype bf16 or fp16, another "
        "--attention than math, --offload stages or --vae-tiling");
  for (const Task task : {Task::kInfer, Task::kTrain}) {
    CHECK(memory_advice(task) == "use a smaller model or --batch, or --dtype bf16 or fp16");
  }
}

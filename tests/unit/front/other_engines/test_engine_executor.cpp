#include "sdbench/front/other_engines/engine_executor.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>

#include "catch.h"
#include "environment.h"
#include "scratch_folder.h"
#include "sdbench/base/config/other_engine_table.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/status.h"
#include "sdbench/front/bench/worker_process.h"
#include "sdbench/front/other_engines/engine_environment.h"

using namespace sdbench;
using namespace sdbench::test;

namespace {

/// Makes the environment look as set_up.py leaves it.
void complete(const EngineEnvironment& environment) {
  std::filesystem::create_directories(environment.folder / "bin");
  std::ofstream(environment.folder / "bin" / "python");
  std::string text;
  for (const std::string& package : environment.packages) {
    text += (text.empty() ? "" : " ") + package;
  }
  std::ofstream(environment.folder / ".complete") << text << "\n";
}

} // namespace

TEST_CASE("a cell of another's engine that fails before its worker begins is an error, but beside "
          "a stop interrupted") {
  const ScratchFolder folder;
  const EnvironmentVariable engines("SDBENCH_ENGINES", folder.path().c_str());
  const EnvironmentVariable cache("XDG_CACHE_HOME", "/dev/null"); // where no folder can be made
  std::atomic<bool> stop{false};
  WorkerOptions options;
  options.program.libtorch_version = "2.11.0";
  options.stop = &stop;
  complete(environment_of(*find_engine_row("openvino"), options.program.libtorch_version));
  EngineExecutor executor(options);
  Cell cell;
  cell.engine = "openvino";
  ExecutorObserver nobody;
  CHECK(executor.run(cell, nobody).status == Status::kError);
  stop = true;
  CHECK(executor.run(cell, nobody).status == Status::kInterrupted);
}

#include "catch.h"

#include <signal.h>

#include <csignal>

#include "environment.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/front/bench/worker_death.h"

using namespace sdbench;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a SIGKILL is out of memory only if the kernel counted one") {
  CHECK(explain_death({SIGKILL, true, true, CellStage::kLoad, Task::kGenerate, ""}).status ==
        Status::kOomHost);
  CHECK(explain_death({SIGKILL, true, false, CellStage::kLoad, Task::kGenerate, ""}).status ==
        Status::kCrash);
  CHECK(explain_death({SIGSEGV, true, true, CellStage::kLoad, Task::kGenerate, ""}).status ==
        Status::kCrash);
}

TEST_CASE("a worker that ran out of memory is told what takes less, of what its task has") {
  const auto message = [](Task task) {
    return explain_death({SIGKILL, true, true, CellStage::kMeasure, task, ""}).message;
  };
  CHECK(contains(message(Task::kTrain), "during stage measure; use a smaller model or --batch"));
  CHECK(contains(message(Task::kGenerate), "--size"));
}

TEST_CASE("a worker that NCCL ended because another device has ended says whose row tells why") {
  WorkerDeath death{SIGABRT, true, false, CellStage::kMeasure, Task::kTrain, "watchdog"};
  CHECK(explain_death(death).status == Status::kCrash);
  death.ended_partner = "cuda:1";
  const DeathVerdict verdict = explain_death(death);
  CHECK(verdict.status == Status::kError);
  CHECK(verdict.message ==
        "all devices must train together, but cuda:1 has ended; its row says why");
  death.wait_status = SIGSEGV;
  CHECK(explain_death(death).status == Status::kCrash);
  death.wait_status = SIGABRT;
  death.stderr_tail = "std::bad_alloc";
  CHECK(explain_death(death).status == Status::kOomHost);
}

TEST_CASE("the loader's complaint counts only before the worker's first line") {
  const std::string complaint = "worker: symbol lookup error: undefined symbol: _ZN2at\n";
  CHECK(contains(
      explain_death({127 << 8, false, false, CellStage::kStart, Task::kGenerate, complaint})
          .message,
      "_ZN2at"));
  CHECK(explain_death({127 << 8, false, false, CellStage::kStart, Task::kGenerate, complaint})
            .status == Status::kError);
  CHECK(
      explain_death({127 << 8, true, false, CellStage::kLoad, Task::kGenerate, complaint}).status ==
      Status::kCrash);
}

TEST_CASE("what is to be done about a loader's complaint is said where it helps") {
  const auto remedy = [](const std::string& complaint) {
    const std::string message = explain_death({127 << 8, false, false, CellStage::kStart,
                                               Task::kGenerate, "sdbench-worker: " + complaint})
                                    .message;
    return message.substr(message.rfind("; ") + 2);
  };
  CHECK(remedy("error while loading shared libraries: libtorch_cpu.so: cannot open shared object "
               "file: No such file or directory") ==
        "run scripts/run.sh once, or set SDBENCH_LIBTORCH");
  CHECK(remedy("error while loading shared libraries: libpng16.so.16: cannot open shared object "
               "file: No such file or directory") ==
        "install the system's package that has this library");
  for (const char* const of_another_build :
       {"symbol lookup error: /x/libtorch_nvshmem.so: undefined symbol: __cudaRegisterFatBinary",
        "/x/libstdc++.so.6: version `GLIBCXX_3.4.32' not found (required by sdbench-worker)",
        "error while loading shared libraries: /x/libtorch_cpu.so: file too short"}) {
    CAPTURE(of_another_build);
    CHECK_FALSE(contains(remedy(of_another_build), "scripts/run.sh"));
    CHECK(contains(remedy(of_another_build), "LD_PRELOAD"));
  }
}

TEST_CASE("a library that is preloaded is named, also where a function is missed late") {
  const test::EnvironmentVariable preload("LD_PRELOAD", "/old/libgomp.so.1");
  const DeathVerdict verdict =
      explain_death({127 << 8, true, false, CellStage::kLoad, Task::kGenerate,
                     "worker: symbol lookup error: \x1b[1mworker\x1b[0m: undefined symbol: omp_x"});
  CHECK(verdict.status == Status::kCrash);
  CHECK(contains(verdict.message, "symbol lookup error: worker: undefined symbol: omp_x"));
  CHECK(contains(verdict.message, "LD_PRELOAD=/old/libgomp.so.1"));
}

TEST_CASE("the last line of a text is its last that is not blank") {
  CHECK(last_line("") == "");
  CHECK(last_line(" \n\n") == "");
  CHECK(last_line("one") == "one");
  CHECK(last_line("one\ntwo\n \n") == "two");
}

TEST_CASE(
    "the out-of-memory killer's count is read from vmstat, memory.events and memory.oom_control") {
  CHECK(parse_oom_kills("pgfault 7\noom_kill 3\nnuma_hit 9\n") == 3);
  CHECK(parse_oom_kills("low 0\nhigh 0\nmax 4\noom 2\noom_kill 1\noom_group_kill 0\n") == 1);
  CHECK(parse_oom_kills("oom_kill_disable 0\nunder_oom 0\noom_kill 12\n") == 12);
  CHECK(parse_oom_kills("oom_kill_disable 1\n") == 0);
  CHECK(parse_oom_kills("") == 0);
}

TEST_CASE("the count on this machine never falls") {
  const std::int64_t before = oom_kill_count();
  CHECK(before >= 0);
  CHECK(oom_kill_count() >= before);
}

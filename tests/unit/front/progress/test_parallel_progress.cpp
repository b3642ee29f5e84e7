#include "sdbench/front/progress/parallel_progress.h"

#include <sstream>

#include "catch.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/front/terminal/log.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

struct Watched {
  explicit Watched(bool live)
      : progress(cell(), make_logger(err, 0), err, {live}, "[2/2] ", said) {}

  static Cell cell() {
    Cell cell;
    cell.parallel_devices = {"cpu:0", "cpu:1"};
    cell.repeat = 3;
    return cell;
  }
  [[nodiscard]] ExecutorObserver& device(std::size_t number) const {
    return *progress.observers().at(number);
  }

  std::ostringstream err;
  std::set<std::string> said;
  ParallelProgress progress;
};

} // namespace

TEST_CASE("one bar has the steps of all devices that are in the same run") {
  const Watched watched(true);
  for (const std::size_t number : {0U, 1U}) {
    watched.device(number).on_event(StageEvent{CellStage::kMeasure});
  }
  watched.device(0).on_event(StepEvent{1, 3, 10, 0.5});
  CHECK_THAT(watched.err.str(), ContainsSubstring("[2/2] cpu:0 measure 4/10, cpu:1 measure ..."));
  watched.device(1).on_event(StepEvent{1, 1, 10, 0.5});
  CHECK_THAT(watched.err.str(), ContainsSubstring("[2/2] timed run 2/3  30%"));
  CHECK_THAT(watched.err.str(), ContainsSubstring("6/20"));
}

TEST_CASE("a note names its device, and is said once") {
  const Watched watched(false);
  watched.device(1).on_event(NoteEvent{"a warning"});
  watched.device(0).on_event(NoteEvent{"a warning"});
  CHECK(watched.err.str() == "note       cpu:1: a warning\n");
}

TEST_CASE("a device that has ended is in no bar of the others") {
  const Watched watched(true);
  for (const std::size_t number : {0U, 1U}) {
    watched.device(number).on_event(StageEvent{CellStage::kMeasure});
    watched.device(number).on_event(StepEvent{0, 0, 10, 0.5});
  }
  watched.device(1).on_event(StageEvent{CellStage::kEnded});
  watched.device(0).on_event(StepEvent{0, 4, 10, 0.5});
  CHECK_THAT(watched.err.str(), ContainsSubstring("[2/2] timed run 1/3  50%"));
}

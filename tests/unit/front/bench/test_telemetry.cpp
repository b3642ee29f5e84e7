#include "sdbench/front/bench/telemetry.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "catch.h"
#include "scratch_folder.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/front/record/csv_text.h"

using namespace sdbench;

namespace {

/// Column `phase` of every complete row of the host.
std::vector<std::string> phases_written(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  const std::vector<std::vector<std::string>> rows = parse_csv(text.str());
  const auto place = [&rows](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(rows.at(0), name) - rows.at(0).begin());
  };
  std::vector<std::string> phases;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].size() == rows[0].size() && rows[i].at(place("device")) == "host" &&
        !rows[i].at(place("run_id")).empty()) {
      phases.push_back(rows[i].at(place("phase")));
    }
  }
  return phases;
}

} // namespace

TEST_CASE("the file and the record count every sample in the same phase") {
  const test::ScratchFolder folder;
  const std::filesystem::path file = folder.path() / "t.csv";
  const std::array stages{CellStage::kLoad, CellStage::kWarmup, CellStage::kMeasure,
                          CellStage::kGolden};
  std::vector<std::size_t> in_record(stages.size());
  {
    Telemetry telemetry({.interval_s = 1e-4, .file = file});
    const Telemetry::CellKey cell = telemetry.begin_cell({"run", "cell", "start"});
    for (int change = 0; change < 400; ++change) {
      telemetry.enter(cell, stages[static_cast<std::size_t>(change) % stages.size()]);
      std::this_thread::sleep_for(std::chrono::microseconds(300));
    }
    const auto samples = telemetry.end_cell(cell);
    for (std::size_t i = 0; i < stages.size(); ++i) {
      in_record[i] = of_phase(samples, name_of(stages[i])).size();
    }
  }
  const std::vector<std::string> written = phases_written(file);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    INFO(name_of(stages[i]));
    CHECK(static_cast<std::size_t>(std::ranges::count(written, name_of(stages[i]))) ==
          in_record[i]);
    CHECK(in_record[i] >= 100);
  }
}

TEST_CASE("how to make the processor's energy readable is said once, beside a file of samples") {
  const test::ScratchFolder root;
  root.write("sys/class/powercap/intel-rapl:0/name", "package-0\n");
  std::filesystem::create_directories(root.path() / "sys/class/powercap/intel-rapl:0/energy_uj");
  Telemetry telemetry({.file = root.path() / "t.csv", .root = root.path()});
  const std::vector<std::string> notes = telemetry.take_notes();
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].find("sudo chmod a+r /sys/class/powercap") != std::string::npos);
  CHECK(telemetry.take_notes().empty());
  CHECK(Telemetry({.file = {}, .root = root.path()}).take_notes().empty());
}

TEST_CASE("a cell starts with a sample of its own, before the worker has said anything") {
  const test::ScratchFolder folder;
  const std::filesystem::path file = folder.path() / "t.csv";
  Telemetry telemetry({.interval_s = 3600, .file = file}); // no sample but at a change
  const Telemetry::CellKey cell = telemetry.begin_cell({"run", "cell", ""});
  telemetry.enter(cell, CellStage::kLoad);
  const auto samples = telemetry.end_cell(cell);
  REQUIRE(samples.size() == 3);
  CHECK(samples[0].phase == "start");
  CHECK(samples[1].phase == "load");
  CHECK(phases_written(file) == std::vector<std::string>{"start", "load", "idle"});
}

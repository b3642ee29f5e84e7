#include "sdbench/front/bench/sweep_probes.h"

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "catch.h"
#include "fake_executor.h"
#include "sdbench/front/record/flags.h"

using namespace sdbench;

namespace {

using test::FakeExecutor;

/// A sweep of one device, whose clock and device the test changes.
class ProbedSweep final : public ExecutorObserver {
public:
  explicit ProbedSweep(ProbeUse use) : probes_(use, [this] { return now_s; }) {}

  RunRecord cell(bool is_last = false) {
    Cell cell;
    cell.device = device;
    cell.threads = 1;
    RunRecord record;
    record.status = status;
    record.device_kind = device == "cpu" ? "cpu" : "cuda";
    record.engine = engine;
    record.dtype_unet = dtype;
    record.tf32_used = tf32;
    record.achieved_tflops = 40;
    probes_.after_cell(cell, is_last, executor, *this, record);
    return record;
  }
  void on_event(const CellEvent& event) override {
    if (const auto* const note = std::get_if<NoteEvent>(&event)) {
      notes.push_back(note->text);
    }
  }
  /// Each probe looks three times.
  [[nodiscard]] std::size_t probe_count() const { return executor.probes.size() / 3; }
  [[nodiscard]] std::string product_asked() const { return executor.probes.back().figures.front(); }

  FakeExecutor executor;
  std::vector<std::string> notes;
  std::string device = "cuda:0";
  std::string status = "ok";
  std::string engine = "tuned";
  std::string dtype = "fp16";
  std::string tf32;
  double now_s = 0;

private:
  SweepProbes probes_;
};

TEST_CASE("a GPU is probed behind the first cell, each minute and behind the last cell") {
  ProbedSweep sweep(ProbeUse::kAuto);
  const RunRecord first = sweep.cell();
  CHECK(sweep.probe_count() == 1);
  CHECK(first.probe_product_tflops == 100);
  CHECK(first.probe_copy_gb_s == 2000);
  CHECK(first.probe_drift_percent == 0);
  CHECK(first.of_measured_peak_percent == Approx(40));
  sweep.now_s = 59;
  CHECK(sweep.cell().probe_product_tflops == 100); // of the latest probe
  CHECK(sweep.probe_count() == 1);
  sweep.now_s = 61;
  static_cast<void>(sweep.cell());
  CHECK(sweep.probe_count() == 2);
  static_cast<void>(sweep.cell(true));
  CHECK(sweep.probe_count() == 3);
}

TEST_CASE("a CPU is probed only in sweeps that last over two minutes") {
  ProbedSweep sweep(ProbeUse::kAuto);
  sweep.device = "cpu";
  CHECK_FALSE(sweep.cell().probe_product_tflops);
  CHECK_FALSE(sweep.cell(true).probe_product_tflops);
  sweep.now_s = 121;
  CHECK(sweep.cell().probe_product_tflops);
  CHECK(sweep.probe_count() == 1);
}

TEST_CASE("--probe on probes behind each cell, and off behind none") {
  ProbedSweep on(ProbeUse::kOn);
  on.device = "cpu";
  static_cast<void>(on.cell());
  CHECK(on.executor.probes.back().threads == 0); // not the cell's
  static_cast<void>(on.cell());
  CHECK(on.probe_count() == 2);
  ProbedSweep off(ProbeUse::kOff);
  CHECK_FALSE(off.cell(true).probe_product_tflops);
  CHECK(off.executor.probes.empty());
}

TEST_CASE("a device that changes by over 3 percent within a sweep flags its rows") {
  ProbedSweep sweep(ProbeUse::kOn);
  static_cast<void>(sweep.cell());
  sweep.executor.product_tflops = {98};
  const RunRecord steady = sweep.cell();
  CHECK(*steady.probe_drift_percent == Approx(-2));
  CHECK(steady.flags.empty());
  CHECK(sweep.notes.empty());

  SECTION("in products") {
    sweep.executor.product_tflops = {90};
  }
  SECTION("in copies") {
    sweep.executor.copy_gb_s = 1800;
  }
  const RunRecord changed = sweep.cell();
  CHECK(*changed.probe_drift_percent == Approx(-10));
  CHECK(has_flag(changed, kMachineChanged));
  CHECK_FALSE(is_whole_by(changed.flags));
  REQUIRE(sweep.notes.size() == 1);
  CHECK(sweep.notes[0].starts_with("the device itself is 10 % slower than at an earlier probe"));
}

TEST_CASE("a machine whose probes scatter tells no change within their scatter") {
  ProbedSweep sweep(ProbeUse::kOn);
  sweep.executor.product_tflops = {80, 100, 90};
  static_cast<void>(sweep.cell());
  sweep.executor.product_tflops = {85, 70, 80};
  const RunRecord within = sweep.cell();
  CHECK(*within.probe_drift_percent == Approx(-15));
  CHECK(within.flags.empty());
  sweep.executor.product_tflops = {75, 79, 70};
  CHECK(has_flag(sweep.cell(), kMachineChanged));
}

TEST_CASE("probes of different number formats are not compared") {
  ProbedSweep sweep(ProbeUse::kOn);
  static_cast<void>(sweep.cell());
  sweep.dtype = "fp32";
  sweep.executor.product_tflops = {50};
  CHECK(sweep.cell().probe_drift_percent == 0);
  CHECK(sweep.product_asked() == "product_fp32");
  sweep.tf32 = "on";
  static_cast<void>(sweep.cell());
  CHECK(sweep.product_asked() == "product_tf32");
  sweep.dtype = "autocast-bf16";
  static_cast<void>(sweep.cell());
  CHECK(sweep.product_asked() == "product_bf16");
}

TEST_CASE("a probe that is surely faster is what later ones are compared with") {
  ProbedSweep sweep(ProbeUse::kAuto);
  static_cast<void>(sweep.cell());
  sweep.executor.product_tflops = {120};
  sweep.now_s = 61;
  const RunRecord faster = sweep.cell();
  CHECK(*faster.probe_drift_percent == Approx(20));
  CHECK(has_flag(faster, kMachineChanged));
  const RunRecord next = sweep.cell(); // probed at once, because no row inherits the flag
  CHECK(next.probe_drift_percent == 0);
  CHECK(next.flags.empty());
  CHECK(sweep.probe_count() == 3);
}

TEST_CASE("arithmetic of several formats is no share of the probe's products") {
  ProbedSweep sweep(ProbeUse::kOn);
  sweep.dtype = "fp32";
  CHECK(sweep.cell().of_measured_peak_percent);
  sweep.tf32 = "conv";
  CHECK_FALSE(sweep.cell().of_measured_peak_percent);
  sweep.tf32 = "";
  sweep.dtype = "autocast-fp16";
  CHECK_FALSE(sweep.cell().of_measured_peak_percent);
}

TEST_CASE("rows of other projects' engines are not probed") {
  ProbedSweep sweep(ProbeUse::kOn);
  sweep.engine = "pytorch";
  CHECK_FALSE(sweep.cell().probe_product_tflops);
  CHECK(sweep.executor.probes.empty());
}

TEST_CASE("a probe that fails is a note, the row keeps its figures, and none follows") {
  ProbedSweep sweep(ProbeUse::kOn);
  sweep.executor.probe_outcome.status = Status::kOomDevice;
  sweep.executor.probe_outcome.message = "out of memory";
  const RunRecord record = sweep.cell();
  CHECK(record.achieved_tflops == 40);
  CHECK_FALSE(record.probe_product_tflops);
  static_cast<void>(sweep.cell());
  CHECK(sweep.executor.probes.size() == 1);
  CHECK(sweep.notes == std::vector<std::string>{"the device could not be probed, and is not probed "
                                                "again: out of memory"});
}

TEST_CASE("a cell that failed is not probed") {
  ProbedSweep sweep(ProbeUse::kOn);
  sweep.status = "oom_device";
  CHECK_FALSE(sweep.cell().probe_product_tflops);
  CHECK(sweep.executor.probes.empty());
}

} // namespace

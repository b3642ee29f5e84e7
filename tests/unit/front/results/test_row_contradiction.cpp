#include "sdbench/front/results/row_contradiction.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/front/record/cell_value.h"
#include "sdbench/front/record/confidence.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/ids.h"
#include "sdbench/front/record/raw_times.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/record/run_times.h"
#include "sdbench/front/results/redact.h"

using namespace sdbench;

namespace {

/// A row of two runs with all of its figures and raw times.
RunRecord whole_row() {
  RunRecord row;
  row.run_id = "r0123456789abcdef";
  row.status = "ok";
  row.task = "generate";
  row.model = "sd15";
  row.width = row.height = 512;
  row.steps = 2;
  row.batch = row.images = 1;
  row.guidance = 7.5;
  row.scheduler = "euler";
  row.timestep_spacing = "leading";
  row.device = "cpu";
  row.workload_id = workload_id_of(row);
  row.asked_dtype = "bf16";
  row.asked_threads = 0;
  row.asked_libtorch = "2.11.0";
  row.attention = "math";
  row.variant_id = variant_id_of(row);
  row.cell_id = cell_id_of(row.workload_id, row.variant_id, row.device);
  row.device_kind = "cuda";
  row.device_name = "Card";
  row.driver_version = "580.10";
  row.os = "Debian";
  row.kernel = "6.1";
  row.host = "desk";
  row.cpu = "Processor";
  row.core_count = 8;
  row.host_memory_bytes = 25'276'502'016;
  row.env_id = env_id_of(row);
  const RunSample sample{.parts = {{"unet", 2}, {"vae", 1}}, .e2e_s = 3, .step_s = {1, 1}};
  row.samples = {sample, sample};
  row.repeat = 2;
  row.step_count = 4;
  row.step_s_mean = 1;
  row.unet_s = 2;
  row.vae_s = 1;
  row.e2e_s = 3;
  row.unet_it_s = 1;
  row.s_per_it = 1;
  row.images_per_min = 20;
  row.e2e_it_s = 2.0 / 3;
  return row;
}

} // namespace

TEST_CASE("a row whose figures and ids are those of its columns and raw times is believed") {
  CHECK(contradiction_of(whole_row()) == "");
  CHECK(contradiction_of(RunRecord{}) == "");
  RunRecord rounded = whole_row();
  rounded.e2e_it_s = 0.6667;
  CHECK(contradiction_of(rounded) == "");
}

TEST_CASE("an edited figure or column contradicts the others, and is named") {
  using R = RunRecord;
  const std::vector<std::pair<std::function<void(R&)>, std::string>> edits = {
      {[](R& r) { r.unet_it_s = 999; }, "unet_it_s is 999"},
      {[](R& r) { r.images_per_min = 507; }, "images_per_min is 507"},
      {[](R& r) { r.vae_s = 0.025; }, "vae_s is 0.025, but its raw times give 1.000"},
      {[](R& r) { r.step_s_mean = 0.5; }, "step_s_mean"},
      {[](R& r) { r.e2e_s_min = 4; }, "e2e_s"},
      {[](R& r) { r.model = "sdxl"; }, "workload_id"},
      {[](R& r) { r.device = "cuda"; }, "cell_id"},
      {[](R& r) { r.asked_dtype = "fp32"; }, "variant_id"},
      {[](R& r) { r.asked_threads = 4; }, "variant_id"},
      {[](R& r) { r.attention = "auto"; }, "variant_id"},
      {[](R& r) { r.openmp_config = "OMP_PROC_BIND=true"; }, "variant_id"},
      {[](R& r) { r.device_name = "RTX 4090"; }, "env_id"},
      {[](R& r) { r.driver_version = "570.10"; }, "env_id"},
      {[](R& r) { r.kernel = "6.2"; }, "env_id"},
      {[](R& r) { r.host = "laptop"; }, "env_id"},
      {[](R& r) { r.env_id = "e0123456789abcdef"; }, "env_id is e0123456789abcdef, but its"},
  };
  for (const auto& [edit, words] : edits) {
    RunRecord row = whole_row();
    edit(row);
    CHECK(contradiction_of(row).find(words) != std::string::npos);
  }
}

TEST_CASE("a row that lost what its variant_id was made of does not contradict it") {
  RunRecord row = whole_row();
  row.variant_id = "v0123456789abcdef";
  row.cell_id = cell_id_of(row.workload_id, row.variant_id, row.device);
  REQUIRE(contradiction_of(row).starts_with("variant_id is v0123456789abcdef, but its"));
  SECTION("without a version of libtorch") {
    row.asked_libtorch = "";
    CHECK(contradiction_of(row) == "");
  }
  SECTION("with a path that was redacted") {
    row.openmp_config = "KMP_SETTINGS=[redacted]";
    CHECK(contradiction_of(row) == "");
  }
}

TEST_CASE("every figure that raw times give is made of them anew, whatever other columns lost") {
  using R = RunRecord;
  RunRecord honest = whole_row();
  RunSample second{
      .parts = {{"text", 0.5}, {"unet", 2.5}, {"vae", 1.25}}, .e2e_s = 4.5, .step_s = {1.5, 1}};
  RunSample first = honest.samples.front();
  first.parts.push_back({"text", 0.25});
  honest.unet_tflop = 3;
  CellResult times;
  times.first_image = second;
  times.samples = {first, second};
  fill_times(honest, times);
  REQUIRE(contradiction_of(honest) == "");
  const auto lose_rates = [](R& r) {
    r.s_per_it.reset();
    r.step_count.reset();
    r.unet_tflop.reset();
    r.e2e_it_s.reset();
  };
  const std::vector<std::pair<std::function<void(R&)>, std::string>> edits = {
      {[](R& r) { r.e2e_s_sd = 1e-9; }, "e2e_s_sd is 1e-09, but its raw times give 1.061"},
      {[](R& r) { r.unet_s_sd = 0; }, "unet_s_sd is 0, but its raw times give 0.3536"},
      {[](R& r) { r.vae_s_median = 1.2; }, "vae_s_median is 1.2"},
      {[](R& r) { r.text_s_min = 0.2; }, "text_s_min is 0.2"},
      {[](R& r) { r.e2e_s_max = 5; }, "e2e_s_max is 5"},
      {[](R& r) { r.step_s_p90 = 1; }, "step_s_p90 is 1"},
      {[](R& r) { r.step_s_sd = 1e-9; }, "step_s_sd is 1e-09"},
      {[](R& r) { r.first_image_it_s = 99; }, "first_image_it_s is 99, but its raw times give"},
      {[](R& r) { r.unet_it_s = 999; }, "unet_it_s is 999, but its raw times give 0.8889"},
      {[](R& r) { r.images_per_min = 507; }, "images_per_min is 507"},
      {[](R& r) { r.unet_tflop = 3, r.achieved_tflops = 507; }, "achieved_tflops is 507"},
      {[](R& r) { r.repeat = 50; }, "repeat is 50, but its raw times give 2"},
  };
  for (const auto& [edit, words] : edits) {
    RunRecord row = honest;
    lose_rates(row);
    REQUIRE(contradiction_of(row) == "");
    edit(row);
    row.unet_s = row.unet_it_s == 999 ? std::nullopt : row.unet_s;
    row.e2e_s = row.images_per_min == 507 ? std::nullopt : row.e2e_s;
    CAPTURE(words, contradiction_of(row));
    CHECK(contradiction_of(row).find(words) != std::string::npos);
  }
}

TEST_CASE("an interval of the row's own runs is made of its raw times anew, one of rows is not") {
  RunRecord row = whole_row();
  CellResult times;
  for (const double unet_s : {2.0, 2.01, 2.02}) {
    times.samples.push_back(
        {.parts = {{"unet", unet_s}}, .e2e_s = unet_s + 1, .step_s = {1, unet_s - 1}});
  }
  row.vae_s.reset();
  fill_times(row, times);
  fill_confidence(row, std::nullopt);
  REQUIRE(row.ci95_covers == "within-run");
  REQUIRE(contradiction_of(row) == "");
  row.unet_it_s_ci95_high = 999;
  CHECK(contradiction_of(row).starts_with("unet_it_s_ci95_high is 999, but its raw times give"));
  row.ci95_covers = "between-runs";
  CHECK(contradiction_of(row) == "");
}

TEST_CASE("a figure that columns give or limit is checked where there are no raw times") {
  using R = RunRecord;
  RunRecord honest = whole_row();
  CellResult times;
  times.first_image = honest.samples.front();
  times.samples = honest.samples;
  times.samples.back().e2e_s = 3.5;
  times.samples.back().step_s = {1, 1.25};
  times.samples.back().parts = {{"text", 0.125}, {"unet", 2.25}, {"vae", 1.1}};
  fill_times(honest, times);
  honest.samples.clear();
  honest.first_image.reset();
  honest.energy_j = 40;
  honest.j_per_image = 20;
  honest.ci95_covers = "within-run";
  honest.unet_it_s_ci95_low = 0.9;
  honest.unet_it_s_ci95_high = 1.1;
  honest.images_per_min_ci95_low = 17;
  honest.images_per_min_ci95_high = 20;
  honest.peak_device_allocated_bytes = std::int64_t(2) << 30;
  honest.peak_device_reserved_bytes = std::int64_t(3) << 30;
  honest.power_w_min = 100;
  honest.power_w_mean = 200;
  honest.power_w_max = 300;
  honest.sm_clock_hz_max = 2e9;
  honest.gpu_load_percent_max = 99;
  honest.temperature_c_max = 70;
  REQUIRE(contradiction_of(honest) == "");
  const std::vector<std::pair<std::function<void(R&)>, std::string>> edits = {
      {[](R& r) { r.j_per_image = 2; },
       "j_per_image is 2, but energy_j by repeat and images gives"},
      {[](R& r) { r.unet_it_s_ci95_low = 1; }, "unet_it_s is"},
      {[](R& r) { r.images_per_min_ci95_high = 18; }, "images_per_min is"},
      {[](R& r) { r.e2e_s_median = 9; }, "e2e_s_median is 9, but e2e_s_max is 3.500"},
      {[](R& r) { r.e2e_s_median_excl_first = 1; }, "e2e_s_median_excl_first is 1"},
      {[](R& r) { r.unet_s_median = 1; }, "unet_s_median is 1, but unet_s_min is 2.000"},
      {[](R& r) { r.vae_s_median = 5; }, "vae_s_median is 5"},
      {[](R& r) { r.step_s_p50 = 2; }, "step_s_p50 is 2"},
      {[](R& r) { r.step_s_p90 = 0.5; }, "step_s_p90 is 0.5"},
      {[](R& r) { r.step_s_sd = 3; }, "step_s_sd is 3, but the greatest less the least is 0.25"},
      {[](R& r) { r.e2e_s_sd = 50; }, "e2e_s_sd is 50"},
      {[](R& r) { r.vae_s = r.vae_s_median = r.vae_s_max = 5; }, "e2e_s is 3.25, but text_s, unet"},
      {[](R& r) { r.first_image_s = 0.0001; }, "first_image_s is 1e-04, but steps by"},
      {[](R& r) { r.first_image_it_s = 0.001; }, "first_image_s is 3, but steps by"},
      {[](R& r) { r.peak_device_allocated_bytes = std::int64_t(6) << 30; },
       "peak_device_allocated_bytes is 6442450944, but peak_device_reserved_bytes is"},
      {[](R& r) { r.power_w_mean = 400; }, "power_w_mean is 400, but power_w_max is 300.0"},
      {[](R& r) { r.power_w_mean = 50; }, "power_w_mean is 50, but power_w_min is 100.0"},
      {[](R& r) { r.sm_clock_hz_mean = 3e9; }, "sm_clock_hz_mean is 3e+09"},
      {[](R& r) { r.gpu_load_percent_mean = 900; }, "gpu_load_percent_mean is 900"},
      {[](R& r) { r.temperature_c_mean = 71; }, "temperature_c_mean is 71, but temperature_c_max"},
  };
  for (const auto& [edit, words] : edits) {
    RunRecord row = honest;
    edit(row);
    CAPTURE(words, contradiction_of(row));
    CHECK(contradiction_of(row).find(words) != std::string::npos);
  }
  honest.ci95_covers = "between-runs"; // the other rows may all be faster than this one
  honest.images_per_min_ci95_high = 18;
  CHECK(contradiction_of(honest) == "");
}

TEST_CASE("a count of 0 is not said: it is what a column that a file lacks is read as") {
  RunRecord honest = whole_row();
  RunRecord without_ids = honest;
  without_ids.workload_id = without_ids.variant_id = without_ids.env_id = without_ids.cell_id = "";
  for (const RunRecord& whole : {honest, without_ids}) {
    for (const auto count : {&RunRecord::steps, &RunRecord::images, &RunRecord::batch,
                             &RunRecord::width, &RunRecord::height}) {
      RunRecord row = whole;
      row.*count = 0;
      CHECK(contradiction_of(row) == "");
    }
  }
}

TEST_CASE("a row that made no timed run, and says so, is believed") {
  RunRecord row = whole_row();
  row.samples.clear();
  row.repeat = 0;
  row.step_count = 0;
  row.step_s_mean = row.unet_s = row.vae_s = row.e2e_s = row.e2e_it_s = std::nullopt;
  row.images_per_min = std::nullopt;
  std::vector<std::string> texts(record_fields().size());
  std::vector<FieldValue> values;
  for (std::size_t i = 0; i < record_fields().size(); ++i) {
    texts[i] = field_text(row, record_fields()[i]);
    values.push_back({i, CellValue(texts[i])});
  }
  CHECK(contradiction_of(values, RawTimes{}) == "");
}

TEST_CASE("runs of one and the same time have no spread, which is no contradiction") {
  RunRecord row = whole_row();
  CellResult times;
  times.samples = row.samples;
  fill_times(row, times);
  REQUIRE(row.e2e_s_sd == 0.0);
  CHECK(contradiction_of(row) == "");
  row.e2e_s_sd = 1e-16; // from a different order of adding
  CHECK(contradiction_of(row) == "");
}

TEST_CASE("figures that are multiplied give, and one that is divided gives") {
  RunRecord row = whole_row();
  row.unet_tflop = 2;
  row.achieved_tflops = 4;
  CHECK(contradiction_of(row) == "achieved_tflops is 4, but unet_tflop and unet_it_s give 2.000");
}

TEST_CASE("ids are checked whatever the row is called, but not where all are of another program") {
  RunRecord row = whole_row();
  row.device_name = "RTX 4090";
  for (const char* name : {"copy-1", "r0123456789abcdef", "a", "R0123456789ABCDEF"}) {
    row.run_id = name;
    CHECK(contradiction_of(row).find("env_id is e") == 0);
  }
  row.run_id = "0123456789abcdef"; // as in the oldest rows
  CHECK(contradiction_of(row).find("env_id is e") == 0);
  row.env_id = row.workload_id = row.variant_id = row.cell_id = "0123456789abcdef";
  CHECK(contradiction_of(row) == "");
}

TEST_CASE("what is no id contradicts its row, whichever it stands for, and hides no figure") {
  std::string RunRecord::*const ids[] = {&RunRecord::workload_id, &RunRecord::variant_id,
                                         &RunRecord::env_id, &RunRecord::cell_id};
  for (const auto id : ids) {
    for (const char* const text : {"x", "", "hello world", "w0123456789abcde", "W0123456789ABCDEF",
                                   "q0123456789abcdef", "w0123456789abcdefg"}) {
      for (const char* const run_id : {"r0123456789abcdef", "0123456789abcdef", "a"}) {
        RunRecord row = whole_row();
        row.run_id = run_id;
        row.*id = text;
        CAPTURE(text, contradiction_of(row));
        CHECK(contradiction_of(row).ends_with(", which is not an id"));
        row.unet_it_s = 999;
        CHECK(contradiction_of(row).starts_with("unet_it_s is 999"));
      }
    }
  }
  RunRecord row = whole_row();
  row.workload_id = "hello world";
  CHECK(contradiction_of(row) == "workload_id is \"hello world\", which is not an id");
}

TEST_CASE("of a row without any id the figures are checked, and of another program's row nothing") {
  RunRecord row = whole_row();
  row.workload_id = row.variant_id = row.env_id = row.cell_id = "";
  CHECK(contradiction_of(row) == "");
  row.unet_it_s = 999;
  CHECK(contradiction_of(row).starts_with("unet_it_s is 999"));
  row.workload_id = row.variant_id = row.env_id = row.cell_id = "the lake house";
  CHECK(contradiction_of(row).starts_with("unet_it_s is 999")); // checked, as its run_id is ours
  row.unet_it_s = 1;
  CHECK(contradiction_of(row).ends_with(", which is not an id"));
  row.unet_it_s = 999;
  row.run_id = "the run";
  CHECK(contradiction_of(row) == "");
}

TEST_CASE("a row that lost what its env_id is made of is believed") {
  using R = RunRecord;
  for (const auto& loss : std::vector<std::function<void(R&)>>{
           [](R& r) { r.host = "machine 1f00ab"; },
           [](R& r) { r.host.clear(); },
           [](R& r) { r.os.clear(); },
           [](R& r) { r.kernel.clear(); },
           [](R& r) { r.kernel = "6.1-[redacted]"; },
           [](R& r) { r.host_memory_bytes.reset(); },
           [](R& r) { r.core_count.reset(); },
       }) {
    RunRecord row = whole_row();
    loss(row);
    CHECK(contradiction_of(row) == "");
    row.flags = "contradicts_itself"; // set before the fields were lost
    CHECK_FALSE(contradiction_of(row).empty());
  }
}

TEST_CASE("a row that was redacted does not contradict itself") {
  for (const char* model : {"owner/name", "/home/ann/m", "sd15"}) {
    RunRecord row = whole_row();
    row.model = model;
    row.workload_id = workload_id_of(row);
    row.cell_id = cell_id_of(row.workload_id, row.variant_id, row.device);
    REQUIRE(contradiction_of(row) == "");
    for (const auto& redactions : {all_redactions(), redactions_named("host,uuid,argv,system"),
                                   redactions_named("system"), redactions_named("model")}) {
      RunRecord shared = row;
      Redactor redactor(redactions);
      redactor.meet(shared);
      redactor.redact(shared);
      CHECK(contradiction_of(shared) == "");
    }
  }
}

TEST_CASE("a figure of nothing contradicts what gives it") {
  for (const auto figure : {&RunRecord::unet_it_s, &RunRecord::images_per_min}) {
    RunRecord row = whole_row();
    REQUIRE(row.*figure > 0);
    row.*figure = 0;
    CHECK(contradiction_of(row).find(" is 0, but ") != std::string::npos);
  }
}

TEST_CASE("a row that contradicted its raw times does so without them") {
  RunRecord row = whole_row();
  REQUIRE(contradiction_of(row) == "");
  row.flags = "busy contradicts_itself";
  CHECK(contradiction_of(row) == "its flag says so");
  row.workload_id = row.variant_id = row.env_id = row.cell_id = "";
  CHECK(contradiction_of(row) == "its flag says so");
}

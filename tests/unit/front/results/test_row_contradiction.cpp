#include "sdbench/front/results/row_contradiction.h"

#include <functional>
#include <string>
#include <vector>

#include "catch.h"
#include "sdbench/base/record/ids.h"
#include "sdbench/base/record/run_record.h"
#include "sdbench/front/results/redact.h"

using namespace sdbench;

namespace {

/// A row of two runs with all that belongs to them.
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
  row.variant_id = "v0123456789abcdef";
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
    row.flags = "contradicts_itself"; // from before the loss
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

TEST_CASE("the flag of a row that contradicts itself comes and goes with what it tells of") {
  CHECK(flags_that_tell("", true) == "contradicts_itself");
  CHECK(flags_that_tell("busy noisy", true) == "busy noisy contradicts_itself");
  CHECK(flags_that_tell("busy contradicts_itself noisy", false) == "busy noisy");
  CHECK(flags_that_tell("busy contradicts_itself", true) == "busy contradicts_itself");
}

#include "sdbench/base/record/old_ids.h"

#include <string>

#include "catch.h"
#include "sdbench/base/record/ids.h"
#include "sdbench/base/record/run_record.h"

using namespace sdbench;

namespace {

/// A row as version 2 wrote it, of tests/data/ids: asked for in bf16, by the plain engine.
RunRecord old_row() {
  RunRecord row;
  row.schema_version = 2;
  row.workload_id = "98e82c42c0e5214e";
  row.variant_id = "082fb372559b61ce";
  row.env_id = "61c4006eb346c8eb";
  row.cell_id = "fbf442b1067b98b9";
  row.engine = "plain";
  row.libtorch_version = "0.0";
  row.device = "cpu";
  row.model = "tiny-sd15";
  row.width = 64;
  row.height = 64;
  row.steps = 2;
  row.batch = 2;
  row.images = 2;
  row.guidance = 7.5;
  row.scheduler = "euler";
  row.timestep_spacing = "linspace";
  row.dtype_unet = "fp32";
  row.attention = "auto";
  row.threads = 0;
  row.memory_format = "auto";
  row.packed_weights = "auto";
  row.fused = "auto";
  row.host_allocator = "auto";
  row.kv_cache = "auto";
  row.time_cache = "auto";
  row.shared_prefix = "auto";
  row.graphs = "auto";
  row.kernels = "auto";
  row.tf32 = "off";
  row.cudnn_benchmark = "off";
  row.offload = "none";
  row.vae_tiling = "off";
  return row;
}

} // namespace

TEST_CASE("a row of before gets the ids that it would have today") {
  RunRecord row = old_row();
  renew_row(row);
  CHECK(row.workload_id == workload_id_of(row));
  CHECK(row.variant_id ==
        stable_id('v', {{"dtype", "bf16"}, {"engine", "plain"}, {"libtorch_version", "0.0"}}));
  CHECK(row.variant_id == variant_id_of(row));
  CHECK(row.asked_dtype == "bf16");
  CHECK(row.asked_threads == 0);
  CHECK(row.asked_libtorch == "0.0");
  CHECK(row.noise_levels == "training");
  CHECK(row.env_id == "e" + old_row().env_id);
  CHECK(row.cell_id == cell_id_of(row.workload_id, row.variant_id, "cpu"));
  const RunRecord once = row;
  renew_row(row);
  CHECK(row.variant_id == once.variant_id);
  CHECK(row.cell_id == once.cell_id);
}

TEST_CASE("a row whose columns do not give its id keeps the digits behind the letter") {
  RunRecord row = old_row();
  row.engine = "another";
  row.width = 8;
  renew_row(row);
  CHECK(row.workload_id == "w" + old_row().workload_id);
  CHECK(row.variant_id == "v" + old_row().variant_id);
  CHECK(row.asked_dtype.empty());
  CHECK_FALSE(row.asked_threads);
}

TEST_CASE("what is no id of before stays") {
  CHECK(is_old_id("0123456789abcdef"));
  for (const char* text :
       {"", "w0123456789abcdef", "0123456789ABCDEF", "0123456789abcde", "fp16"}) {
    CAPTURE(text);
    CHECK_FALSE(is_old_id(text));
    RunRecord row;
    row.schema_version = 2;
    row.workload_id = row.variant_id = row.env_id = row.cell_id = text;
    renew_row(row);
    CHECK(row.workload_id == text);
    CHECK(row.variant_id == text);
    CHECK(row.env_id == text);
    CHECK(row.cell_id == text);
  }
}

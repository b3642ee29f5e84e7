#include "sdbench/front/record/field_access.h"

#include <algorithm>
#include <sstream>
#include <string>

#include "catch.h"
#include "sdbench/base/errors/error.h"

using namespace sdbench;

namespace {

// Version 1, in its order: no field may be lost or renamed, or older files would lose figures.
constexpr const char* kNamesOfVersion1 =
    "schema_version run_id workload_id variant_id env_id cell_id time_utc host label note "
    "sdbench_version git_sha engine engine_revision device_kind device_name "
    "device_arch compute_capability driver_version model weights width height steps unet_calls "
    "batch images guidance seed scheduler scheduler_source timestep_spacing prompt_sha256 "
    "dtype_unet dtype_vae dtype_text attention attention_used threads status flags error warmup "
    "repeat load_s first_image_s first_image_it_s text_s unet_s vae_s e2e_s step_s_mean step_s_sd "
    "step_s_p50 step_s_p90 step_s_p99 unet_it_s s_per_it e2e_it_s images_per_min megapixels_per_s "
    "unet_tflop achieved_tflops peak_device_allocated_bytes peak_device_reserved_bytes "
    "peak_device_used_bytes peak_host_bytes golden_check golden_rel_err output_check";

} // namespace

TEST_CASE("every field of version 1 is still there, in its order") {
  std::istringstream words(kNamesOfVersion1);
  const auto fields = record_fields();
  auto position = fields.begin();
  for (std::string word; words >> word;) {
    INFO(word);
    position = std::find_if(position, fields.end(),
                            [&](const RecordField& field) { return field.name == word; });
    REQUIRE(position != fields.end());
  }
}

TEST_CASE("a schema version that is not read is told with what to do") {
  CHECK(schema_obstacle(4, 4, 4).empty());
  CHECK(schema_obstacle(4, 4, 6).empty());
  CHECK(schema_obstacle(7, 4, 6) == "must be 4 to 6, but is 7; read it with a newer sdbench");
  CHECK(schema_obstacle(3, 4, 4).starts_with("must be 4, but is 3; convert the file with the last "
                                             "sdbench that reads it: `sdbench merge`"));
  CHECK(schema_obstacle(0, 4, 4) == "must be 4, but is 0");
}

TEST_CASE("rows of an earlier version take none of today, and merge renews those that it reads") {
  CHECK(append_obstacle("a.csv", 5, 4, 5).empty());
  CHECK(append_obstacle("it's.csv", 4, 4, 5) ==
        "cannot append to it's.csv: its rows must be of schema version 5, but are of version 4 "
        "(written by an earlier sdbench); name another file, or bring this one up to date: sdbench "
        "merge 'it'\\''s.csv' -o NEW.csv");
  CHECK(append_obstacle("a.db", 3, 4, 5)
            .find("name another file, or convert this one with the last sdbench that reads it: "
                  "`sdbench merge` of commit ") != std::string::npos);
}

TEST_CASE("every field is described, and a unit in its name is its unit") {
  for (const RecordField& field : record_fields()) {
    INFO(field.name);
    CHECK(field.description.ends_with("."));
    if (field.name.ends_with("_bytes")) {
      CHECK(field.unit == "bytes");
    }
    if (field.name.ends_with("_it_s")) {
      CHECK(field.unit == "it/s");
    } else if (field.name.ends_with("_gb_s")) {
      CHECK(field.unit == "GB/s");
    } else if (field.name.ends_with("_s") && type_name(field) == "number") {
      CHECK((field.unit == "s" || field.name.ends_with("_per_s")));
    }
  }
}

TEST_CASE("a field's text that is not of its type is refused by name") {
  RunRecord record;
  for (const RecordField& field : record_fields()) {
    if (field.name == "steps") {
      CHECK_THROWS_WITH(set_field_text(record, field, "fifty"),
                        "field steps must be of type integer, but is \"fifty\"");
      CHECK_THROWS_AS(set_field_text(record, field, ""), Error);
    }
  }
}

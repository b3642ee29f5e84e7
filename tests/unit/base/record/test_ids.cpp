#include "sdbench/base/record/ids.h"

#include <map>
#include <string>
#include <string_view>

#include "catch.h"
#include "sdbench/base/config/engine_axes.h"
#include "sdbench/base/record/record_fields.h"

using namespace sdbench;

TEST_CASE("an id's digits are the same everywhere and change with names, values and order") {
  const NamedValue a[] = {{"width", "512"}, {"height", "768"}};
  const NamedValue swapped[] = {{"height", "768"}, {"width", "512"}};
  const NamedValue other[] = {{"width", "512"}, {"height", "769"}};
  const NamedValue joined[] = {{"width", "512\nheight=768"}};
  // printf 'width=512\nheight=768\n' | sha256sum
  CHECK(id_digits(a) == "d9a6b34385044bbe");
  CHECK(id_digits(a) != id_digits(swapped));
  CHECK(id_digits(a) != id_digits(other));
  CHECK(id_digits(a) != id_digits(joined));
}

TEST_CASE("an id begins with a letter, and neither order nor what is empty changes it") {
  const NamedValue sorted[] = {{"height", "768"}, {"width", "512"}};
  CHECK(stable_id('w', {{"width", "512"}, {"height", "768"}}) == "w" + id_digits(sorted));
  CHECK(stable_id('w', {{"height", "768"}, {"width", "512"}, {"task", ""}}) ==
        "w" + id_digits(sorted));
}

TEST_CASE("what nobody asked for is no part of a way's id") {
  RunRecord row;
  row.asked_libtorch = "2.11.0";
  const std::string usual = variant_id_of(row);
  // printf 'libtorch_version=2.11.0\n' | sha256sum
  CHECK(usual == "vf7fd93947ca29cc9");
  row.asked_dtype = "auto";
  row.asked_threads = 0;
  row.engine = "tuned";
  row.kv_cache = "auto";
  row.tf32 = "off";
  row.data_place = "host";
  CHECK(variant_id_of(row) == usual);
  row.kv_cache = "off";
  CHECK(variant_id_of(row) != usual);
}

TEST_CASE("noise levels are a part of the work's id as one word with the sampler") {
  RunRecord row;
  row.scheduler = "euler";
  const std::string usual = workload_id_of(row);
  row.noise_levels = "training";
  CHECK(workload_id_of(row) == usual);
  row.noise_levels = "karras";
  const std::string karras = workload_id_of(row);
  CHECK(karras != usual);
  row.scheduler = "euler_karras"; // as the first rows had it
  row.noise_levels = "";
  CHECK(workload_id_of(row) == karras);
}

TEST_CASE("the columns of a row give its env_id, today and later") {
  RunRecord row;
  row.device_kind = "cuda";
  row.device_name = "NVIDIA H100 80GB HBM3";
  row.driver_version = "580.159.04";
  row.os = "Ubuntu 24.04.3 LTS";
  row.kernel = "6.18.44-fc-v657-gpu";
  row.host = "vm";
  row.cpu = "Intel(R) Xeon(R) Processor";
  row.core_count = 16;
  row.host_memory_bytes = 135'148'564'480;
  CHECK(env_id_of(row) == "e4e39cfb6917a9bf5"); // as in benchmarks/records
  row.host_memory_bytes = 135'148'564'480 - 4096;
  CHECK(env_id_of(row) == "e4e39cfb6917a9bf5");
  row.device_name = "NVIDIA H200";
  CHECK(env_id_of(row) != "e4e39cfb6917a9bf5");
}

TEST_CASE("what ids leave out of the axes never changes") {
  // Not to be changed with an option's default: all ids of rows without that option would change.
  const std::map<std::string_view, std::string_view> frozen = {{"engine", "tuned"},
                                                               {"attention", "auto"},
                                                               {"memory_format", "auto"},
                                                               {"packed_weights", "auto"},
                                                               {"host_allocator", "auto"},
                                                               {"kv_cache", "auto"},
                                                               {"time_cache", "auto"},
                                                               {"shared_prefix", "auto"},
                                                               {"graphs", "auto"},
                                                               {"kernels", "auto"},
                                                               {"tf32", "off"},
                                                               {"cudnn_benchmark", "off"},
                                                               {"offload", "none"},
                                                               {"vae_tiling", "off"}};
  for (const auto& [name, left_out] : frozen) {
    INFO(name);
    CHECK(axis_named(name).id_default == left_out);
  }
}

TEST_CASE("each axis is a field of the record, and so is what a worker tells of it") {
  for (const EngineAxis& axis : engine_axes()) {
    INFO(axis.name);
    const std::string name(axis.name);
    CHECK(find_field(name).has_value());
    CHECK(find_field(name + "_used").has_value() == (axis.used != nullptr));
    CHECK(find_field(name + "_obstacle").has_value() == (axis.obstacle != nullptr));
  }
}

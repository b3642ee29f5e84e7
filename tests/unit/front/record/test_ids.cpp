#include "sdbench/front/record/ids.h"

#include <map>
#include <string>
#include <string_view>

#include "catch.h"
#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/front/record/field_access.h"

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
  row.scheduler = "euler_karras"; // as in the oldest rows
  row.noise_levels = "";
  CHECK(workload_id_of(row) == karras);
}

TEST_CASE("the ids of works never change") {
  RunRecord row;
  CHECK(workload_id_of(row) == "wc20d2b452be4e66c");
  row.model = "sd15";
  row.width = 512;
  row.height = 768;
  row.steps = 50;
  row.batch = 2;
  row.images = 4;
  row.guidance = 7.5;
  row.scheduler = "euler";
  row.timestep_spacing = "leading";
  // printf 'batch=2\nguidance=7.5\nheight=768\nimages=4\nmodel=sd15\nscheduler=euler\nsteps=50\n
  // timestep_spacing=leading\nwidth=512\n' | sha256sum
  const std::string usual = "w33bdf8e1219379bd";
  CHECK(workload_id_of(row) == usual);
  row.task = "generate";
  row.noise_levels = "training";
  row.clip_skip = 0;
  row.weight_update = "on"; // ignored for rows that make images
  row.loss = "logit-sum";
  row.epochs = 3;
  row.data = "cifar10";
  CHECK(workload_id_of(row) == usual);
  row.clip_skip = 1;
  CHECK(workload_id_of(row) == "wbf961c733caa5930");
  row.clip_skip.reset();
  row.noise_levels = "karras";
  CHECK(workload_id_of(row) == "w3aded9dd63e0af9b");
}

TEST_CASE("the ids of networks' works never change") {
  RunRecord row;
  row.model = "resnet50";
  row.width = row.height = 32;
  row.steps = 1;
  row.batch = 16;
  row.images = 320;
  row.guidance = 7.5; // ignored for networks
  row.task = "train";
  row.weight_update = "on";
  row.loss = "logit-sum";
  CHECK(workload_id_of(row) == "wa3cc7a21a0d0ad14");
  row.loss = "";
  row.epochs = 3;
  row.data = "cifar10";
  CHECK(workload_id_of(row) == "w6250866348f11fc8");
  row.task = "infer";
  row.weight_update = "";
  row.epochs.reset();
  row.data = "";
  CHECK(workload_id_of(row) == "w3d74f30bdd7b002f");
  // Fields that our rows of this task never have count if a row has them.
  row.loss = "logit-sum";
  row.epochs = 0;
  row.data = "cifar10";
  row.scheduler = "euler";
  row.timestep_spacing = "leading";
  row.clip_skip = 2;
  CHECK(workload_id_of(row) == "w5fc2c592a4c9b6bc");
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
  // Must not change with an option's default, or all ids of rows without that option would change.
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

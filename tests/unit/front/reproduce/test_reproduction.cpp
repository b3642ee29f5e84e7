#include "sdbench/front/reproduce/reproduction.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "catch.h"
#include "sample_record.h"
#include "scratch_folder.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/run_config.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/front/record/record_json.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

RunRecord gpu_record() {
  RunRecord record;
  record.run_id = "abc";
  record.model = "tiny-sd15";
  record.weights = "synthetic:3";
  record.width = 64;
  record.height = 72;
  record.steps = 4;
  record.batch = 2;
  record.images = 4;
  record.guidance = 5;
  record.clip_skip = 1;
  record.seed = 18446744073709551615U;
  record.scheduler = "euler";
  record.noise_levels = "karras";
  record.timestep_spacing = "trailing";
  record.device = "cuda:1";
  record.device_kind = "cuda";
  record.dtype_unet = "autocast-fp16";
  record.attention = "cudnn";
  record.threads = 3;
  record.memory_format = "channels-last";
  record.tf32 = "conv";
  record.cudnn_benchmark = "on";
  record.offload = "stages";
  record.vae_tiling = "on";
  record.warmup = 2;
  record.warmup_reason = "asked";
  record.repeat = 7;
  record.status = "ok";
  return record;
}

std::vector<DeviceInfo> devices_with_gpus(std::size_t count) {
  DeviceInfo gpu;
  gpu.kind = DeviceKind::kCuda;
  std::vector<DeviceInfo> devices(count, gpu);
  devices.emplace_back().kind = DeviceKind::kCpu;
  return devices;
}

} // namespace

TEST_CASE("a record's cell is asked for again in everything that it says") {
  const Reproduction plan = reproduction_of(gpu_record(), devices_with_gpus(2), Json::object());
  const RunConfig& config = plan.options.cell;
  CHECK(plan.remarks.empty());
  CHECK(plan.options.note == "reproduces abc");
  CHECK(config.model == "tiny-sd15");
  CHECK(config.weights == "synthetic:3");
  CHECK(config.width == 64);
  CHECK(config.height == 72);
  CHECK(config.steps == 4);
  CHECK(config.batch == 2);
  CHECK(config.images == 4);
  CHECK(config.guidance == 5);
  CHECK(config.clip_skip == 1);
  CHECK(config.seed == 18446744073709551615U);
  CHECK(config.karras == true);
  CHECK(config.timestep_spacing == TimestepSpacing::kTrailing);
  CHECK(config.device == "cuda:1");
  CHECK(config.dtype == "autocast-fp16");
  CHECK(config.attention == "cudnn");
  CHECK(config.threads == 0); // a GPU's row
  CHECK(config.memory_format == "channels-last");
  CHECK(config.tf32 == "conv");
  CHECK(config.cudnn_benchmark == "on");
  CHECK(config.offload == "stages");
  CHECK(config.vae_tiling == "on");
  CHECK(config.warmup == 2);
  CHECK(config.repeat == 7);
}

TEST_CASE("what cannot be had here is said, and the nearest is taken") {
  const Reproduction plan = reproduction_of(gpu_record(), devices_with_gpus(0), Json::object());
  CHECK(plan.options.cell.device == "cpu");
  CHECK(plan.options.cell.attention == "auto");
  CHECK(plan.remarks.size() == 2);
  CHECK(reproduction_of(gpu_record(), devices_with_gpus(1), Json::object()).options.cell.device ==
        "cuda");
  RunRecord cpu = gpu_record();
  cpu.device_kind = cpu.device = "cpu";
  cpu.threads = 100000;
  cpu.core_count = 200000;
  const Reproduction fewer = reproduction_of(cpu, devices_with_gpus(1), Json::object());
  CHECK(fewer.options.cell.device == "cpu");
  CHECK(fewer.options.cell.threads == 0);
  CHECK_THAT(fewer.remarks.at(0), ContainsSubstring("100000 threads"));
  cpu.threads = 1;
  CHECK(reproduction_of(cpu, {}, Json::object()).options.cell.threads == 1);
  cpu.core_count = 1; // the record used all cores
  CHECK(reproduction_of(cpu, {}, Json::object()).options.cell.threads == 0);
}

TEST_CASE("a record of an Intel GPU asks for the same one: whether it is here OpenVINO says") {
  RunRecord record = gpu_record();
  record.engine = "openvino";
  record.device = "intel:1";
  record.device_kind = "intel";
  const Reproduction plan = reproduction_of(record, devices_with_gpus(2), Json::object());
  CHECK(plan.options.cell.device == "intel:1");
  CHECK(plan.options.cell.engine == "openvino");
}

TEST_CASE("a record of a GPU where there is none is told why there is none") {
  std::vector<DeviceInfo> devices = devices_with_gpus(0);
  devices.back().cuda_obstacle = "the driver is too old; update it";
  const Reproduction plan = reproduction_of(gpu_record(), devices, Json::object());
  CHECK(std::ranges::any_of(plan.remarks, [](const std::string& remark) {
    return remark.ends_with("running on the CPU (the driver is too old; update it)");
  }));
}

TEST_CASE("what is given goes before the record") {
  const Reproduction plan =
      reproduction_of(gpu_record(), {}, {{"device", "cpu"}, {"repeat", 3}, {"weights", "/mine"}});
  CHECK(plan.remarks.size() == 1); // about attention
  CHECK(plan.options.cell.repeat == 3);
  CHECK(plan.options.cell.weights == "/mine");
  CHECK_FALSE(plan.options.model_given);
}

TEST_CASE("what the record's epochs decide cannot be given beside them") {
  RunRecord record = gpu_record();
  record.task = "train";
  record.model = "tiny-resnet";
  record.epochs = 3;
  for (const char* name : {"repeat", "warmup"}) {
    CHECK_THROWS_WITH(
        reproduction_of(record, {}, {{name, 3}}),
        ContainsSubstring("--" + std::string(name) + " must be given without --epochs"));
  }
  record.epochs.reset();
  CHECK(reproduction_of(record, {}, {{"repeat", 3}}).options.cell.repeat == 3);
}

TEST_CASE("a row of another program's engine is run by this one's, which is said") {
  RunRecord record = gpu_record();
  record.engine = "plain";
  CHECK(reproduction_of(record, {}, Json::object()).options.cell.engine == "plain");
  const std::size_t remarks = reproduction_of(record, {}, Json::object()).remarks.size();
  record.engine = "diffusers";
  const Reproduction plan = reproduction_of(record, {}, Json::object());
  CHECK(plan.options.cell.engine == "tuned");
  REQUIRE(plan.remarks.size() == remarks + 1);
  CHECK(std::ranges::any_of(plan.remarks, [](const std::string& remark) {
    return remark.starts_with("the record's engine \"diffusers\" is unknown to this program");
  }));
}

TEST_CASE("a record of an older version leaves what it does not say at its default") {
  RunRecord record = gpu_record();
  record.memory_format.clear();
  record.offload.clear();
  record.dtype_unet.clear();
  const RunConfig config = reproduction_of(record, {}, Json::object()).options.cell;
  CHECK(config.memory_format == "auto");
  CHECK(config.offload == "none");
  CHECK(config.dtype == "auto");
}

TEST_CASE("what an axis cannot be in this program is as usual here, and said") {
  RunRecord record = gpu_record();
  record.kernels = "quantum";
  record.tf32 = "maybe";
  record.graphs = "";
  const Reproduction plan = reproduction_of(record, {}, Json::object());
  CHECK(plan.options.cell.kernels == "auto");
  CHECK(plan.options.cell.tf32 == "off");
  const auto remarks = [&](std::string_view start) {
    return std::ranges::count_if(
        plan.remarks, [&](const std::string& remark) { return remark.starts_with(start); });
  };
  CHECK(remarks("the record's kernels \"quantum\" is unknown to this program: taking auto here") ==
        1);
  CHECK(remarks("the record's tf32 \"maybe\" is unknown to this program: taking off here") == 1);
  CHECK(remarks("the record's graphs") == 0);
}

TEST_CASE("a row that is no single cell's measurement is not reproduced") {
  RunRecord part = gpu_record();
  part.parallel_id = "abc";
  CHECK_THROWS_WITH(reproduction_of(part, {}, Json::object()),
                    ContainsSubstring("the record must be of one device"));
  RunRecord study = gpu_record();
  study.quality_reference = "fp32";
  CHECK_THROWS_WITH(reproduction_of(study, {}, Json::object()),
                    ContainsSubstring("the record must be of a benchmark"));
}

TEST_CASE("the record is the file's only one, or the one that is named") {
  const test::ScratchFolder folder;
  RunRecord other = gpu_record();
  other.run_id = "def";
  const auto one = folder.write("one.jsonl", to_json_line(gpu_record()));
  const auto two = folder.write("two.jsonl", to_json_line(gpu_record()) + to_json_line(other));
  CHECK(record_to_reproduce(one, {}).record.run_id == "abc");
  CHECK(record_to_reproduce(two, "def").record.run_id == "def");
  CHECK_THROWS_WITH(record_to_reproduce(two, {}),
                    ContainsSubstring("holds 2; name one with --run-id: abc, def"));
  CHECK_THROWS_WITH(record_to_reproduce(one, "x"),
                    ContainsSubstring("at least its first 4 characters"));
  SECTION("the first digits do where they begin no other row's") {
    RunRecord first = gpu_record();
    first.run_id = "01234567";
    other.run_id = "01239999";
    const auto ids = folder.write("ids.jsonl", to_json_line(first) + to_json_line(other));
    CHECK(record_to_reproduce(ids, "01234").record.run_id == "01234567");
    CHECK_THROWS_WITH(record_to_reproduce(ids, "0123"),
                      ContainsSubstring("\"0123\" begins 2: 01234567, 01239999"));
    CHECK_THROWS_WITH(record_to_reproduce(ids, "012"),
                      ContainsSubstring("at least its first 4 characters, but is \"012\""));
    CHECK_THROWS_WITH(record_to_reproduce(ids, ""), ContainsSubstring("but is \"\""));
    CHECK_THROWS_WITH(record_to_reproduce(ids, "0124"),
                      ContainsSubstring("none of its 2 is \"0124\""));
    first.run_id = "0123"; // an exact match is not taken for a beginning
    const auto whole = folder.write("whole.jsonl", to_json_line(first) + to_json_line(other));
    CHECK(record_to_reproduce(whole, "0123").record.run_id == "0123");
  }
  CHECK_THROWS_WITH(record_to_reproduce(folder.write("none.jsonl", ""), {}),
                    ContainsSubstring("holds 0"));
  CHECK_THROWS_WITH(record_to_reproduce(folder.path() / "no.csv", {}),
                    ContainsSubstring("is not there"));
  CHECK_THROWS_WITH(record_to_reproduce(folder.write("a.txt", ""), {}),
                    ContainsSubstring("is not one"));
  CHECK_THROWS_AS(record_to_reproduce(folder.write("bad.jsonl", "{\n"), {}), Error);
  SECTION("another row that cannot be read is named, and does not matter") {
    RunRecord unknown = other;
    unknown.run_id = "0123";
    unknown.task = "sleep";
    const auto file = folder.write("mixed.jsonl", to_json_line(unknown) + to_json_line(other));
    const NamedRecord named = record_to_reproduce(file, "def");
    CHECK(named.record.run_id == "def");
    REQUIRE(named.bad.size() == 1);
    CHECK_THAT(named.bad.front().text(), ContainsSubstring("line 1, column task"));
    CHECK_THROWS_WITH(record_to_reproduce(file, "0123"), ContainsSubstring("column task"));
    CHECK_THROWS_WITH(record_to_reproduce(file, {}), ContainsSubstring("column task"));
  }
}

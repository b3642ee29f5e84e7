#include "catch.h"

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "image_sample.h"
#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/model_family_table.h"
#include "sdbench/base/device/cpu_cores.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/executor/messages.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/base/types/status.h"
#include "sdbench/base/weights/locate.h"

using namespace sdbench;
using namespace sdbench::messages;

namespace {

const std::string kNotUtf8 = "caf\xe9 \xff\xfe";

DeviceInfo some_device() {
  DeviceInfo device;
  device.kind = DeviceKind::kCuda;
  device.name = "NVIDIA H200";
  device.arch = "Hopper";
  device.compute_capability = "9.0";
  device.driver_version = "580.1";
  device.index = 3;
  device.memory_total_bytes = 150'000'000'000;
  device.memory_free_bytes = 149'999'999'999;
  device.uuid = "GPU-a";
  device.pci_address = "00000000:41:00.0";
  device.sm_count = 132;
  device.cuda_runtime_version = "13.0";
  device.cudnn_version = "9.10.2";
  device.cuda_driver_version = "13.1";
  device.cuda_obstacle = "CUDA's driver sees no GPU; check";
  device.cuda_driver_is_here = true;
  return device;
}

CellResult some_result() {
  CellResult result;
  result.device = some_device();
  result.runtime_version = "2.11.0";
  result.engine = "plain";
  result.engine_revision = 7;
  result.dtype_unet = Dtype::kF16;
  result.dtype_vae = Dtype::kBF16;
  result.dtype_text = Precision(Dtype::kF16, true);
  result.use.attention = "flash";
  result.threads = 12;
  result.use.kv_cache = "on";
  result.use.time_cache = "on";
  result.use.shared_prefix = "on";
  result.use.graphs = "loop";
  result.use.graphs_obstacle = "a \"reason\"";
  result.use.kernels = "own";
  result.use.kernels_obstacle = "another";
  result.use.tf32 = "conv";
  result.vae_tiles = 9;
  result.unet_calls = 20;
  result.weights_identity = "synthetic:0";
  result.weights_dtype = "fp8_e4m3+fp16";
  result.weights_ignored = "\"scale_factor\" (1)";
  result.load_s = 0.1;
  result.first_image = test::image_sample(1e-300, 1.0 / 3, 5e-324, 0.3, {0.1, 0.2}, 1e5 / 3);
  result.samples = {test::image_sample(0.1, 0.2, 0.3, 0.7, {1.0 / 7}), RunSample{}};
  result.partial_run = PartialRun{"measure", {0.25, 1e-9}};
  result.warmup = 2;
  result.warmup_reason = "settled";
  result.stop_reason = "max_time";
  result.peak_device_allocated_bytes = std::numeric_limits<std::int64_t>::max();
  result.peak_device_reserved_bytes = 2;
  result.peak_device_used_bytes = 3;
  result.peak_host_bytes = 4;
  result.golden_check = "fail";
  result.golden_rel_err = std::numeric_limits<double>::quiet_NaN();
  result.output_check = "nan";
  result.flags = {"drift", "noisy"};
  result.image_files = {kNotUtf8};
  return result;
}

/// Encodes and decodes, and demands that a second trip gives the same line: no member was lost on
/// the first.
template <typename Body>
Body round_trip(const Body& body) {
  const std::string line = encode(Event(body));
  CHECK(line.find('\n') == std::string::npos);
  const Event event = decode_event(line);
  CHECK(encode(event) == line);
  REQUIRE(std::holds_alternative<Body>(event));
  return std::get<Body>(event);
}

void check_refusal(const std::string& line, const std::string& expected) {
  std::string message = "accepted";
  try {
    static_cast<void>(decode_event(line));
  } catch (const Error& error) {
    message = error.what();
  }
  INFO(line << " -> " << message);
  CHECK(message.find(expected) != std::string::npos);
}

} // namespace

TEST_CASE("every event comes out of the protocol as it went in") {
  const Hello hello = round_trip(Hello{42, "2.7.1"});
  CHECK(hello.version == 42);
  CHECK(hello.runtime_version == "2.7.1");

  CHECK(round_trip(StageEvent{CellStage::kLoad}).stage == CellStage::kLoad);
  CHECK(round_trip(ReadyEvent{7}).run == 7);

  const DeviceInfo device = round_trip(DeviceEvent{some_device()}).device;
  CHECK(device.kind == DeviceKind::kCuda);
  CHECK(device.name == "NVIDIA H200");
  CHECK(device.arch == "Hopper");
  CHECK(device.compute_capability == "9.0");
  CHECK(device.driver_version == "580.1");
  CHECK(device.index == 3);
  CHECK(device.memory_total_bytes == 150'000'000'000);
  CHECK(device.memory_free_bytes == 149'999'999'999);
  CHECK(device.uuid == "GPU-a");
  CHECK(device.pci_address == "00000000:41:00.0");
  CHECK(device.sm_count == 132);
  CHECK(device.cuda_runtime_version == "13.0");
  CHECK(device.cudnn_version == "9.10.2");
  CHECK(device.cuda_driver_version == "13.1");
  CHECK(device.cuda_obstacle == "CUDA's driver sees no GPU; check");
  CHECK(device.cuda_driver_is_here);

  const StepEvent step = round_trip(StepEvent{2, 3, 20, 0.1});
  CHECK(step.run == 2);
  CHECK(step.step == 3);
  CHECK(step.steps == 20);
  CHECK(step.seconds == 0.1);

  const SampleEvent sample = round_trip(SampleEvent{true, some_result().first_image});
  CHECK(sample.first_image);
  REQUIRE(sample.sample.parts.size() == 3);
  CHECK(sample.sample.parts[0].name == "text");
  CHECK(sample.sample.parts[0].seconds == 1e-300);
  CHECK(sample.sample.parts[1].name == "unet");
  CHECK(sample.sample.parts[1].seconds == 1.0 / 3);
  CHECK(sample.sample.parts[2].name == "vae");
  CHECK(sample.sample.parts[2].seconds == 5e-324);
  CHECK(sample.sample.e2e_s == 0.3);
  CHECK(sample.sample.step_s == std::vector<double>{0.1, 0.2});

  CHECK(round_trip(NoteEvent{"größer\nzwei \"Zeilen\""}).text == "größer\nzwei \"Zeilen\"");
}

TEST_CASE("a result crosses the protocol with every number to the last bit") {
  const CellResult result = round_trip(LoadedEvent{some_result()}).so_far;
  CHECK(result.device.name == "NVIDIA H200");
  CHECK(result.runtime_version == "2.11.0");
  CHECK(result.engine == "plain");
  CHECK(result.engine_revision == 7);
  CHECK(result.dtype_unet == Dtype::kF16);
  CHECK(result.dtype_vae == Dtype::kBF16);
  CHECK(result.dtype_text == Precision(Dtype::kF16, true));
  CHECK(result.use.attention == "flash");
  CHECK(result.threads == 12);
  CHECK(result.use.kv_cache == "on");
  CHECK(result.use.time_cache == "on");
  CHECK(result.use.shared_prefix == "on");
  CHECK(result.use.graphs == "loop");
  CHECK(result.use.graphs_obstacle == "a \"reason\"");
  CHECK(result.use.kernels == "own");
  CHECK(result.use.kernels_obstacle == "another");
  CHECK(result.use.tf32 == "conv");
  CHECK(result.vae_tiles == 9);
  CHECK(result.unet_calls == 20);
  CHECK(result.weights_identity == "synthetic:0");
  CHECK(result.weights_dtype == "fp8_e4m3+fp16");
  CHECK(result.weights_ignored == "\"scale_factor\" (1)");
  CHECK(result.load_s == 0.1);
  CHECK(result.first_image.step_s.size() == 2);
  REQUIRE(result.samples.size() == 2);
  CHECK(result.samples[0].step_s == std::vector<double>{1.0 / 7});
  REQUIRE(result.partial_run.has_value());
  CHECK(result.partial_run->stage == "measure");
  CHECK(result.partial_run->step_s == std::vector<double>{0.25, 1e-9});
  CHECK(result.warmup == 2);
  CHECK(result.warmup_reason == "settled");
  CHECK(result.stop_reason == "max_time");
  CHECK(result.peak_device_allocated_bytes == std::numeric_limits<std::int64_t>::max());
  CHECK(result.peak_device_reserved_bytes == 2);
  CHECK(result.peak_device_used_bytes == 3);
  CHECK(result.peak_host_bytes == 4);
  CHECK(result.golden_check == "fail");
  REQUIRE(result.golden_rel_err.has_value());
  CHECK(std::isnan(*result.golden_rel_err));
  CHECK(result.output_check == "nan");
  CHECK(result.flags == std::vector<std::string>{"drift", "noisy"});
  CHECK(result.image_files == std::vector<std::string>{kNotUtf8});
}

TEST_CASE("what is not known stays empty on the other side of the protocol") {
  const CellResult result = round_trip(LoadedEvent{CellResult{}}).so_far;
  CHECK_FALSE(result.peak_device_allocated_bytes.has_value());
  CHECK_FALSE(result.golden_rel_err.has_value());
  CHECK_FALSE(result.partial_run.has_value());
  CHECK_FALSE(round_trip(OutcomeEvent{CellOutcome{}}).outcome.result.has_value());
}

TEST_CASE(
    "the protocol has the words of stages that records have, and null where a cell ended well") {
  CHECK(encode(Event(StageEvent{CellStage::kFirstImage})) ==
        R"({"stage":"first_image","type":"stage"})");
  CHECK_THAT(encode(Event(OutcomeEvent{CellOutcome{Status::kOk, std::nullopt, "", {}, ""}})),
             Catch::Matchers::ContainsSubstring(R"("stage":null)"));
  CHECK_THAT(
      encode(Event(OutcomeEvent{CellOutcome{Status::kError, CellStage::kStart, "", {}, ""}})),
      Catch::Matchers::ContainsSubstring(R"("stage":"start")"));
}

TEST_CASE("an outcome keeps its status, its text and its bytes that are not UTF-8") {
  for (const Status status :
       {Status::kOk, Status::kOomDevice, Status::kOomHost, Status::kCrash, Status::kTimeout,
        Status::kError, Status::kInvalidOutput, Status::kSkipped, Status::kInterrupted}) {
    const CellOutcome outcome =
        round_trip(
            OutcomeEvent{CellOutcome{status, CellStage::kLoad, kNotUtf8, some_result(), "tail"}})
            .outcome;
    CHECK(outcome.status == status);
    CHECK(outcome.stage == CellStage::kLoad);
    CHECK(outcome.message == kNotUtf8);
    REQUIRE(outcome.result.has_value());
    CHECK(outcome.stderr_tail == "tail");
  }
}

TEST_CASE("a request carries the whole cell and a model that parses to the same configs") {
  Cell cell;
  cell.model = find_model_config("tiny-sdxl");
  cell.model.name = kNotUtf8;
  cell.model.text_encoders[0].tokenizer.folder = "/one";
  cell.model.text_encoders[1].tokenizer.folder = "/two";
  cell.weights = {WeightsLocation::Kind::kSingleFile, "/weights/" + kNotUtf8, 3, true, "words", {}};
  cell.width = 72;
  cell.height = 104;
  cell.steps = 7;
  cell.batch = 2;
  cell.images = 4;
  cell.dtype = Precision(Dtype::kBF16, true);
  cell.device = "cuda:1";
  cell.device_in_worker = "cuda:0";
  cell.cpu_share = CpuShare{1, 3};
  cell.parallel_devices = {"cuda:0", "cuda:1"};
  cell.share = "each";
  cell.guidance = 0.1;
  cell.clip_skip = 1;
  cell.prompts = {"", kNotUtf8, "日本"};
  cell.negative_prompt = "";
  cell.seed = std::numeric_limits<std::uint64_t>::max();
  cell.timestep_spacing = TimestepSpacing::kTrailing;
  cell.sampler = "another";
  cell.karras = true;
  cell.attention = "sliced";
  cell.threads = 3;
  cell.memory_format = "channels-last";
  cell.tf32 = "conv";
  cell.cudnn_benchmark = "on";
  cell.offload = "stages";
  cell.vae_tiling = "on";
  cell.warmup = 4;
  cell.repeat = 5;
  cell.max_noise = 0.005;
  cell.max_time_s = 1e3;
  cell.patience_s = 2.5;
  cell.init_latents = "/in";
  cell.dump_latents = "/out";
  cell.save_images = "/images";
  cell.dump_run = "/run";
  cell.dump_step_images = true;
  const std::string line = encode(Request(RunRequest{cell}));
  CHECK(line.find('\n') == std::string::npos);
  const Request request = decode_request(line);
  CHECK(encode(request) == line);
  const Cell& read = std::get<RunRequest>(request).cell;
  CHECK(read.model.name == kNotUtf8);
  CHECK(read.model.source == cell.model.source);
  CHECK(read.model.pipeline == PipelineClass::kStableDiffusionXl);
  CHECK(unet_of(read.model).block_out_channels == unet_of(cell.model).block_out_channels);
  CHECK(unet_of(read.model).head_counts == unet_of(cell.model).head_counts);
  CHECK(read.model.vae.scaling_factor == cell.model.vae.scaling_factor);
  CHECK(read.model.scheduler.source_class == cell.model.scheduler.source_class);
  CHECK(read.model.text_encoders[0].tokenizer.pad_token_id ==
        cell.model.text_encoders[0].tokenizer.pad_token_id);
  CHECK(read.model.text_encoders[1].tokenizer.pad_token_id ==
        cell.model.text_encoders[1].tokenizer.pad_token_id);
  CHECK(read.model.text_encoders[0].tokenizer.folder == "/one");
  CHECK(read.model.text_encoders[1].tokenizer.folder == "/two");
  CHECK(read.weights.kind == WeightsLocation::Kind::kSingleFile);
  CHECK(read.weights.path == "/weights/" + kNotUtf8);
  CHECK(read.weights.seed == 3);
  CHECK(read.weights.fallback);
  CHECK(read.width == 72);
  CHECK(read.height == 104);
  CHECK(read.steps == 7);
  CHECK(read.batch == 2);
  CHECK(read.images == 4);
  CHECK(read.dtype == Precision(Dtype::kBF16, true));
  CHECK(read.device == "cuda:1");
  CHECK(read.device_in_worker == "cuda:0");
  CHECK(read.cpu_share->number == 1);
  CHECK(read.cpu_share->count == 3);
  CHECK(read.parallel_devices == cell.parallel_devices);
  CHECK(read.share == "each");
  CHECK(read.guidance == 0.1);
  CHECK(read.clip_skip == 1);
  CHECK(read.prompts == cell.prompts);
  CHECK(read.negative_prompt == "");
  CHECK(read.seed == std::numeric_limits<std::uint64_t>::max());
  CHECK(read.timestep_spacing == TimestepSpacing::kTrailing);
  CHECK(read.sampler == "another");
  CHECK(read.karras);
  CHECK(read.attention == "sliced");
  CHECK(read.threads == 3);
  CHECK(read.memory_format == "channels-last");
  CHECK(read.tf32 == "conv");
  CHECK(read.cudnn_benchmark == "on");
  CHECK(read.offload == "stages");
  CHECK(read.vae_tiling == "on");
  CHECK(read.warmup == 4);
  CHECK(read.repeat == 5);
  CHECK(read.max_noise == 0.005);
  CHECK(read.max_time_s == 1e3);
  CHECK(read.patience_s == 2.5);
  CHECK(read.init_latents == "/in");
  CHECK(read.dump_latents == "/out");
  CHECK(read.save_images == "/images");
  CHECK(read.dump_run == "/run");
  CHECK(read.dump_step_images);
}

TEST_CASE("an export request comes out of the protocol as it went in") {
  const Request request = decode_request(
      encode(Request(ExportRequest{find_model_config("tiny-sd15"), 9, Dtype::kF16, "/out"})));
  const auto& read = std::get<ExportRequest>(request);
  CHECK(read.model.name == "tiny-sd15");
  CHECK(read.seed == 9);
  CHECK(read.dtype == Dtype::kF16);
  CHECK(read.folder == "/out");
}

TEST_CASE("a request for an estimate comes out of the protocol as it went in") {
  Cell cell;
  cell.model = find_model_config("tiny-sd15");
  cell.steps = 9;
  const Request request = decode_request(encode(Request(EstimateRequest{cell})));
  CHECK(std::get<EstimateRequest>(request).cell.steps == 9);
  CHECK(std::get<EstimateRequest>(request).cell.model.name == "tiny-sd15");
}

TEST_CASE("a request for the devices comes out of the protocol as it went in") {
  const Request request = decode_request(encode(Request(DevicesRequest{})));
  CHECK(std::holds_alternative<DevicesRequest>(request));
}

TEST_CASE("a probe's request and its figures come out of the protocol as they went in") {
  const Request request =
      decode_request(encode(Request(ProbeRequest{{"cpu:1", "cpu", CpuShare{1, 2}, 3}})));
  const ProbePlace& place = std::get<ProbeRequest>(request).place;
  CHECK(place.device == "cpu:1");
  CHECK(place.device_in_worker == "cpu");
  CHECK(place.cpu_share.value().number == 1);
  CHECK(place.threads == 3);
  const Event event = decode_event(encode(Event(ProbeEvent{"copy", 12.5})));
  CHECK(std::get<ProbeEvent>(event).name == "copy");
  CHECK(std::get<ProbeEvent>(event).value == 12.5);
}

TEST_CASE("a request whose model cannot be parsed is refused") {
  CHECK_THROWS_AS(decode_request(encode(Request(RunRequest{Cell{}}))), Error);
}

TEST_CASE("a worker may leave out what it does not have or know") {
  const Event hello = decode_event(R"({"type":"hello","version":9})");
  CHECK(std::get<Hello>(hello).runtime_version.empty());
  const Event event =
      decode_event(R"({"type":"outcome","outcome":{"status":"ok","result":{"device":{"kind":"cpu",)"
                   R"("name":"A processor"},"samples":[{"e2e_s":1.5}]}}})");
  const CellOutcome& outcome = std::get<OutcomeEvent>(event).outcome;
  REQUIRE(outcome.result.has_value());
  const CellResult& result = *outcome.result;
  CHECK(result.device.name == "A processor");
  REQUIRE(result.samples.size() == 1);
  CHECK(result.samples[0].e2e_s == 1.5);
  CHECK_FALSE(result.dtype_unet);
  CHECK_FALSE(result.threads);
  CHECK_FALSE(result.vae_tiles);
  CHECK(result.use.kv_cache.empty());
}

TEST_CASE("what makes a row must be told") {
  const std::string start = R"({"type":"outcome","outcome":{"status":"ok","result":{)";
  check_refusal(R"({"type":"hello"})", "version must be given");
  check_refusal(R"({"type":"outcome","outcome":{}})", "outcome.status must be given");
  check_refusal(start + "}}}", "outcome.result.device must be given");
  check_refusal(start + R"("device":{"kind":"cpu"}}}})",
                "outcome.result.device.name must be given");
  check_refusal(start + R"("device":{"kind":"cuda","name":"A card"}}}})",
                "outcome.result.device.index must be given");
  check_refusal(start + R"("device":{"kind":"cpu","name":"A processor"},"samples":[{}]}}})",
                "outcome.result.samples[0].e2e_s must be given");
}

TEST_CASE("infinities cross the protocol") {
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(round_trip(StepEvent{0, 0, 1, infinity}).seconds == infinity);
  CHECK(round_trip(StepEvent{0, 0, 1, -infinity}).seconds == -infinity);
}

TEST_CASE("a malformed event is refused, naming the field") {
  check_refusal("", "must be a JSON object");
  check_refusal("hello", "must be a JSON object");
  check_refusal("[1]", "must be a JSON object");
  check_refusal("\xff{}", "must be a JSON object");
  check_refusal(R"({"type":"step")", "must be a JSON object");
  check_refusal("{}", "type must be a known message");
  check_refusal(R"({"type":"run"})", "type must be a known message");
  check_refusal(R"({"type":7})", "type must be a known message");
  check_refusal(R"({"type":"stage"})", "stage must be given");
  check_refusal(R"({"type":"stage","stage":1})", "stage must be a known name");
  check_refusal(R"({"type":"stage","stage":"loaf"})",
                "stage must be a known name, but is \"loaf\"");
  check_refusal(R"({"type":"note","text":1})", "text must be text");
  check_refusal(R"({"type":"note","text":{"hex":"0g"}})", "hex digits");
  check_refusal(R"({"type":"note","text":{"hex":"000"}})", "hex digits");
  check_refusal(R"({"type":"hello","version":1.5,"runtime_version":""})",
                "version must be a whole number");
  check_refusal(R"({"type":"hello","version":4294967297,"runtime_version":""})",
                "version must be a number of its type's size");
  check_refusal(R"({"type":"step","run":18446744073709551615})", "run must be a whole number");
  check_refusal(R"({"type":"step","run":0,"step":0,"steps":1,"seconds":"fast"})",
                "seconds must be a number");
  check_refusal(R"({"type":"step","run":0,"step":0,"steps":1})", "seconds must be given");
  check_refusal(R"({"type":"step","run":0,"step":0,"seconds":1})", "steps must be given");
  check_refusal(R"({"type":"step","run":0,"step":3,"steps":3,"seconds":1})",
                "steps must be more than step");
  check_refusal(R"({"type":"outcome","outcome":{"status":"error"}})", "message must be given");
  check_refusal(
      R"({"type":"outcome","outcome":{"status":"ok","result":{"device":{"kind":"cpu","name":"A"},"sampels":[]}}})",
      "samples must be given");
  check_refusal(R"({"type":"outcome","outcome":{"status":"fine"}})",
                "outcome.status must be a known name");
  check_refusal(R"({"type":"outcome","outcome":{"status":"error","stage":"loaf"}})",
                "outcome.stage must be a known name");
  std::string result = encode(Event(LoadedEvent{some_result()}));
  result.replace(result.find("measure"), std::string("measure").size(), "loaf");
  check_refusal(result, "so_far.partial_run.stage must be a known name");
  check_refusal(R"({"type":"sample","first_image":1})", "first_image must be true or false");
  check_refusal(R"({"type":"sample","first_image":true,"sample":[]})", "sample must be an object");
  check_refusal(R"({"type":"sample","first_image":true,"sample":{"parts":[],)"
                R"("e2e_s":0,"step_s":[0,null]}})",
                "sample.step_s[1] must be a number");
  check_refusal(R"({"type":"sample","first_image":true,"sample":{"parts":[{"name":"text"}]}})",
                "sample.parts[0].seconds must be given");
  for (const char* const names : {R"("e2e", "unet")", R"("unet", "unet")", R"("", "unet")"}) {
    const Json list = Json::parse("[" + std::string(names) + "]");
    Json line = Json::parse(encode(Event(SampleEvent{true, some_result().first_image})));
    for (std::size_t i = 0; i < list.size(); ++i) {
      line["sample"]["parts"][i]["name"] = list[i];
    }
    check_refusal(line.dump(), "sample.parts must be a list of parts with a name each");
  }
}

#include "sdbench/base/plan/memory_estimate.h"

#include <vector>

#include "sdbench/base/types/dtype.h"

#include "catch.h"

using namespace sdbench;

TEST_CASE("weights take as many bytes as their dtype has") {
  const ModelConfig model = find_model_config("sd15");
  CHECK(weight_bytes(model, Dtype::kF16) == 2 * (859'520'964LL + 123'060'480 + 49'490'199));
  CHECK(weight_bytes(model, Dtype::kF32) == 2 * weight_bytes(model, Dtype::kF16));
  CHECK(weight_bytes(find_model_config("vgg16"), Dtype::kF32) == 4 * 138'357'544LL);
}

TEST_CASE("offload holds the largest stage, autocast its copies too, tiling one tile") {
  const ModelConfig model = find_model_config("sd15");
  CHECK(weight_bytes(model, Dtype::kF16, true) == 2 * 859'520'964LL);
  CHECK(weight_bytes(model, Precision(Dtype::kF16, true), true) == 6 * 859'520'964LL);
  CHECK(weight_bytes(model, Precision(Dtype::kF16, true)) ==
        weight_bytes(model, Dtype::kF32) + 2 * 859'520'964LL);
  CHECK(decoding_bytes(model.vae, 2, 2048, 1024, 1, true) ==
        decoding_bytes(model.vae, 2, 512, 512, 1));
  CHECK(decoding_bytes(model.vae, 2, 2048, 64, 1, true) ==
        decoding_bytes(model.vae, 2, 512, 64, 1));
}

TEST_CASE("decoding takes memory by pixels, images and bytes of an element") {
  const VaeConfig vae = find_model_config("sd15").vae;
  CHECK(decoding_bytes(vae, 2, 512, 512, 1) == 3LL * 256 * 512 * 512 * 2);
  CHECK(decoding_bytes(vae, 4, 512, 256, 3) == 3 * decoding_bytes(vae, 2, 512, 512, 1));
  const std::int64_t two_images = 2LL * 256 * 512 * 512; // decoded at once, of four
  CHECK(decoding_bytes(vae, 2, 512, 512, 4, false, two_images) ==
        2 * decoding_bytes(vae, 2, 512, 512, 1));
}

TEST_CASE("attention that keeps its scores needs memory with the square of the pixels") {
  constexpr std::int64_t kGib = std::int64_t{1} << 30;
  const auto bytes = [](const char* attention, std::size_t element, std::int64_t side) {
    Cell cell;
    cell.model = find_model_config("sd15");
    cell.width = cell.height = side;
    cell.guidance = 7.5;
    cell.attention = attention;
    return denoising_bytes(cell, element);
  };
  // 2 rows x 8 heads x 4096^2 scores, before and after the softmax, in fp32: 2 GiB.
  CHECK(bytes("math", 4, 512) > 2 * kGib);
  CHECK(bytes("math", 4, 512) < 3 * kGib);
  CHECK(bytes("math", 2, 512) > 2 * kGib); // computed in fp32 too
  CHECK(bytes("math", 4, 1024) > 32 * kGib);
  CHECK(bytes("sliced", 4, 1024) < 10 * kGib); // a slice of 4 heads
  CHECK(bytes("auto", 4, 1024) < 2 * kGib);
}

TEST_CASE("scores are counted in the levels whose kernel makes them, whatever was asked for") {
  Cell cell;
  cell.model = find_model_config("sd15");
  const auto bytes = [&](const std::vector<std::string>& attention) {
    return denoising_bytes(cell, 2, attention);
  };
  const std::int64_t fused = bytes({"flash", "flash", "flash", "flash"});
  CHECK(fused == denoising_bytes(cell, 2));
  CHECK(bytes({"flash", "flash", "flash", "math"}) == fused);               // 64 tokens
  const std::int64_t with_scores = bytes({"math", "math", "math", "math"}); // bf16 on Turing
  CHECK(with_scores > fused + (std::int64_t{1} << 30));
  cell.attention = "math";
  CHECK(denoising_bytes(cell, 2) == with_scores);
  CHECK(bytes({"flash", "flash", "flash", "flash"}) == fused);
}

TEST_CASE("guidance, batch and dtype scale what denoising takes, images what is kept") {
  Cell cell;
  cell.model = find_model_config("sd15");
  cell.guidance = 1;
  cell.time_cache = "off"; // the same for all images
  const std::int64_t one = denoising_bytes(cell, 2);
  cell.batch = 4;
  CHECK(denoising_bytes(cell, 2) == 4 * one);
  CHECK(denoising_bytes(cell, 4) == 8 * one);
  cell.guidance = 7.5;
  CHECK(denoising_bytes(cell, 2) == 8 * one);
  const std::int64_t kept = kept_bytes(cell);
  CHECK(kept >= 512 * 512 * 3);
  cell.images = 8;
  CHECK(kept_bytes(cell) == 8 * kept);
}

TEST_CASE("what is computed before the first step is kept until the last") {
  Cell cell;
  cell.model = find_model_config("sdxl");
  cell.batch = 3;
  cell.guidance = 5;
  cell.steps = 20;
  const auto bytes = [&](const char* kv_cache, const char* time_cache, const char* engine) {
    cell.kv_cache = kv_cache;
    cell.time_cache = time_cache;
    cell.engine = engine;
    return denoising_bytes(cell, 2);
  };
  const std::int64_t without = bytes("off", "off", "tuned");
  // 10 layers 640 wide and 60 of 1280; keys and values of 77 tokens; 6 rows; 2 bytes.
  const std::int64_t text = (10 * 640 + 60 * 1280) * 2LL * 77 * 6 * 2;
  // 5 ResNet blocks on each of 3 levels, 2 in the middle; 20 steps; 6 rows; 2 bytes.
  const std::int64_t time = (5 * (320 + 640 + 1280) + 2 * 1280) * 20LL * 6 * 2;
  CHECK(bytes("on", "off", "plain") == without + text);
  CHECK(bytes("off", "on", "plain") == without + time);
  CHECK(bytes("auto", "auto", "tuned") == without + text + time);
  CHECK(bytes("auto", "auto", "plain") == without);
  cell.device = "cuda:1"; // a graph reads the text from copies
  CHECK(bytes("on", "off", "tuned") == without + 2 * text);
  CHECK(bytes("on", "off", "plain") == without + text);
  cell.graphs = "loop";
  CHECK(bytes("on", "off", "plain") == without + 2 * text);
  cell.graphs = "off";
  CHECK(bytes("on", "off", "tuned") == without + text);
  cell.device = "cpu";
  cell.model = find_model_config("sd15"); // nothing but the time itself: one row for all images
  cell.batch = 1;
  const std::int64_t one = bytes("off", "on", "plain") - bytes("off", "off", "plain");
  CHECK(one == (5 * (320 + 640 + 1280 + 1280) + 2 * 1280) * 20LL * 2);
  cell.batch = 8;
  CHECK(bytes("off", "on", "plain") - bytes("off", "off", "plain") == one);
}

TEST_CASE("advice for want of memory names the options that the task has") {
  CHECK(memory_advice(Task::kGenerate) ==
        "use a smaller model, --size, --batch or --images, --dtype bf16 or fp16, another "
        "--attention than math, --offload stages or --vae-tiling");
  for (const Task task : {Task::kInfer, Task::kTrain}) {
    CHECK(memory_advice(task) == "use a smaller model or --batch, or --dtype bf16 or fp16");
  }
}

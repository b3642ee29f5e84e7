#include "sdbench/front/words/record_blocks.h"

#include "catch.h"
#include "sample_record.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/front/record/build_record.h"
#include "training_work.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

namespace {

RunRecord good_record() {
  RunRecord r;
  r.model = "sd15";
  r.width = r.height = 512;
  r.steps = 50;
  r.batch = r.images = 1;
  r.guidance = 7.5;
  r.scheduler = "euler";
  r.timestep_spacing = "leading";
  r.device_name = "NVIDIA H200";
  r.weights = "synthetic:0";
  r.dtype_unet = r.dtype_vae = r.dtype_text = "fp16";
  r.attention_used = "flash";
  r.repeat = 3;
  r.load_s = 2.5;
  r.first_image_s = 4;
  r.text_s = 0.01;
  r.unet_s = 2;
  r.vae_s = 0.04;
  r.e2e_s = 2.1;
  r.step_s_mean = 0.04;
  r.step_s_p50 = 0.04;
  r.step_s_p90 = 0.041;
  r.unet_it_s = 25;
  r.e2e_it_s = 23.8;
  r.images_per_min = 28.6;
  r.megapixels_per_s = 0.125;
  r.stop_reason = "repeat";
  r.warmup = 2;
  r.warmup_reason = "settled";
  r.noise = 0.0043;
  r.ci95_covers = "within-run";
  r.ci95_count = 3;
  r.unet_it_s_ci95_low = 24.8;
  r.unet_it_s_ci95_high = 25.2;
  r.images_per_min_ci95_low = 28.4;
  r.images_per_min_ci95_high = 28.8;
  r.unet_tflop = 1.607;
  r.achieved_tflops = 40.2;
  r.peak_host_bytes = 1 << 30;
  r.golden_check = r.output_check = "pass";
  r.golden_rel_err = 0.0012;
  r.status = "ok";
  return r;
}

std::string table_of(const RunRecord& record, bool colour = false) {
  return to_record_blocks({&record, 1}, colour);
}

} // namespace

TEST_CASE("the table names what differs from the usual way to compute, and nothing else") {
  RunRecord r = good_record();
  r.engine = "tuned";
  r.memory_format = r.packed_weights = "auto";
  r.memory_format_used = "channels-last";
  r.packed_weights_used = "avx512_bf16";
  r.tf32 = r.tf32_used = r.cudnn_benchmark = r.vae_tiling = "off";
  r.offload = "none";
  r.vae_tiles = 1;
  CHECK_THAT(table_of(r),
             ContainsSubstring(
                 "engine          sdbench tuned   channels-last, own kernels in avx512_bf16\n"));
  r.packed_weights = r.packed_weights_used = "off";
  r.memory_format = "channels-last";
  r.tf32 = "on"; // asked for, but not used
  r.offload = "stages";
  r.vae_tiling = "on";
  r.vae_tiles = 16;
  CHECK_THAT(table_of(r),
             ContainsSubstring("tuned, channels-last, weights not packed, TF32 without effect, "
                               "offload by stages, VAE tiling  16 tiles\n"));
  r.memory_format = "contiguous"; // asked for, but not used
  CHECK_THAT(table_of(r), ContainsSubstring("tuned, channels-last instead of contiguous, "));
  r.graphs = "loop";
  r.graphs_used = "on";
  r.shared_prefix = "on";
  r.shared_prefix_used = "off";
  CHECK_THAT(table_of(r), ContainsSubstring("shared prefix without effect, CUDA graphs instead of "
                                            "one of the loop, TF32 without effect"));
  r.tf32 = r.tf32_used = "conv";
  CHECK_THAT(table_of(r), ContainsSubstring("one of the loop, TF32 in convolutions, "));
}

TEST_CASE("the table says whose kernels computed, also where others were asked for") {
  const auto words_of = [](const char* asked, const char* used) {
    RunRecord r = good_record();
    r.engine = "tuned";
    r.packed_weights = asked;
    r.packed_weights_used = used;
    const std::string table = table_of(r);
    const std::size_t begin = table.find("engine          ") + 16;
    return table.substr(begin, table.find('\n', begin) - begin);
  };
  CHECK(words_of("auto", "winograd") == "sdbench tuned   packed for Winograd");
  CHECK(words_of("auto", "onednn") == "sdbench tuned   packed for oneDNN");
  CHECK(words_of("auto", "off") == "sdbench tuned");
  CHECK(words_of("winograd", "winograd") == "sdbench tuned, packed for Winograd");
  CHECK(words_of("winograd", "onednn") == "sdbench tuned, packed for oneDNN instead of Winograd");
  CHECK(words_of("winograd", "off") == "sdbench tuned, not packed for Winograd");
  CHECK(words_of("onednn", "onednn") == "sdbench tuned, packed for oneDNN");
  CHECK(words_of("own", "avx512") == "sdbench tuned, packed for own kernels  in avx512");
  CHECK(words_of("own", "onednn") == "sdbench tuned, packed for oneDNN instead of own kernels");
  CHECK(words_of("off", "off") == "sdbench tuned, weights not packed");
}

TEST_CASE("the table says what was prepared before the first image, beside the load") {
  RunRecord r = good_record();
  CHECK_THAT(table_of(r), !ContainsSubstring("prepare"));
  r.prepare_s = 1.25;
  CHECK_THAT(table_of(r), ContainsSubstring("load            2.50 s          weights onto the"));
  CHECK_THAT(table_of(r), ContainsSubstring("prepare         1.25 s          weights packed"));
  r.device_kind = "cuda";
  CHECK_THAT(table_of(r), ContainsSubstring("kernels compiled, attention tried"));
  r.prepared = "new";
  CHECK_THAT(table_of(r), ContainsSubstring("exported, converted or compiled"));
  r.prepared = "kept";
  r.load_s.reset();
  CHECK_THAT(table_of(r), ContainsSubstring("1.25 s          what an earlier run had kept"));
}

TEST_CASE("the interval of a network's rate has its unit") {
  RunRecord r = good_record();
  r.task = "train";
  r.images_per_s = 344;
  r.images_per_min_ci95_low = 60 * 340;
  r.images_per_min_ci95_high = 60 * 348;
  CHECK_THAT(table_of(r), ContainsSubstring("344 images/s") &&
                              ContainsSubstring("340.0 to 348.0 images/s  within-run"));
  CHECK_THAT(table_of(r), !ContainsSubstring("images/min"));
}

TEST_CASE("the table gives every figure with its unit") {
  const std::string table = table_of(good_record());
  for (const char* part : {"sd15  512x512, 50 steps, batch 1, guidance 7.5, euler (leading)",
                           "NVIDIA H200",
                           "25.0 it/s",
                           "one it = one scheduler step",
                           "23.8 it/s",
                           "28.6 images/min",
                           "0.125 megapixels/s",
                           "95 % interval   24.80 to 25.20 it/s  within-run: 3 timed runs",
                           "95 % interval   28.40 to 28.80 images/min  within-run: 3 timed runs",
                           "timed runs      3               as many as --repeat asks for, standard "
                           "error 0.43 % of the mean",
                           "warm-up         2 images        until two in a row took the same time",
                           "40.2 TFLOP/s",
                           "text encoder    10.0 ms",
                           "UNet x 50       2.00 s",
                           "VAE decoder     40.0 ms",
                           "95 %",
                           "2.10 s",
                           "median 40.0 ms",
                           "load            2.50 s",
                           "first image     4.00 s",
                           "1.00 GiB",
                           "golden check    pass",
                           "fp16: 0.0012 of 0.03 allowed; fp32 is held to 1e-3",
                           "status          ok"}) {
    CHECK_THAT(table, ContainsSubstring(part));
  }
  CHECK(table.find('\x1b') == std::string::npos);
}

TEST_CASE("the golden check says its bound, which differs by dtype") {
  RunRecord record = good_record();
  record.device_kind = "cpu";
  record.dtype_unet = record.dtype_vae = "bf16";
  record.golden_rel_err = 0.063;
  CHECK_THAT(table_of(record),
             ContainsSubstring("bf16: 0.063 of 0.2 allowed; fp32 is held to 1e-4"));
  record.dtype_unet = record.dtype_vae = "fp32";
  record.golden_rel_err = 6.6e-6;
  CHECK_THAT(table_of(record), ContainsSubstring("of 1e-4 allowed\n"));
  record.dtype_unet = record.dtype_vae = "bf16";
  record.golden_rel_err = 0.15;
  record.golden_check = "fail"; // because of the image
  CHECK_THAT(table_of(record), ContainsSubstring("bf16: off by 0.15 of the largest value that "
                                                 "diffusers computed; allowed are 0.2, of the "
                                                 "image 0.1"));
}

TEST_CASE("a rate and what it is made of stand in one unit") {
  RunRecord record = good_record();
  record.achieved_tflops = 0.0000923;
  record.unet_tflop = 0.000185;
  CHECK_THAT(table_of(record), ContainsSubstring("0.0923 GFLOP/s  0.185 GFLOP an it"));
}

TEST_CASE("the table shows the sensors where there were some, and no empty ones") {
  RunRecord record = good_record();
  CHECK_THAT(table_of(record), !ContainsSubstring("Sensors"));
  record.power_w_mean = 310;
  record.power_w_idle = 75.5;
  record.power_limit_w = 700;
  record.energy_j = 1200;
  record.j_per_image = 400;
  record.sm_clock_hz_mean = 1.98e9;
  record.temperature_c_max = 62;
  const std::string table = table_of(record);
  CHECK_THAT(table,
             ContainsSubstring("power           310 W           limit 700 W, idle 75.5 W\n"));
  CHECK_THAT(table, ContainsSubstring("energy          1200 J          400 J/image\n"));
  CHECK_THAT(table, ContainsSubstring("SM clock        1980 MHz\n"));
  CHECK_THAT(table, ContainsSubstring("temperature     62.0 degC\n"));
}

TEST_CASE("below one step a second the table says s/it") {
  RunRecord record = good_record();
  record.unet_it_s = 0.2;
  CHECK_THAT(table_of(record), ContainsSubstring("5.00 s/it"));
}

TEST_CASE("the table says what an interval covers and which rule ended the runs") {
  RunRecord record = good_record();
  record.ci95_covers = "between-runs";
  record.ci95_count = 5;
  record.stop_reason = "max_noise";
  CHECK_THAT(table_of(record), ContainsSubstring("between-runs: 5 rows of this cell"));
  CHECK_THAT(table_of(record),
             ContainsSubstring("standard error 0.43 % of the mean, low enough for --max-noise"));
  record.stop_reason = "max_runs";
  CHECK_THAT(table_of(record), ContainsSubstring("--max-noise was not reached"));
  record.stop_reason = "max_time";
  CHECK_THAT(table_of(record), ContainsSubstring("--max-time ended the cell"));
}

TEST_CASE("a partial run's rate is never shown as a whole one's") {
  RunRecord record = good_record();
  record.e2e_s.reset();
  record.e2e_it_s.reset();
  record.repeat = 0;
  record.step_count = 12;
  record.flags = "partial some_new_flag";
  const std::string table = table_of(record);
  CHECK_THAT(table, ContainsSubstring("from 12 steps of an unfinished run"));
  CHECK_THAT(table, ContainsSubstring("partial         no timed run was finished"));
  CHECK_THAT(table, ContainsSubstring("some_new_flag\n"));
  CHECK(table.find("One run of") == std::string::npos);
}

TEST_CASE("a failed cell's table says why and shows no empty figures") {
  RunRecord record = test::failed_record();
  const std::string table = table_of(record);
  CHECK_THAT(table, ContainsSubstring("crash"));
  CHECK_THAT(table, ContainsSubstring("load: the worker was killed by signal 9"));
  CHECK(table.find("it/s") == std::string::npos);
  CHECK(table.find("Peak memory") == std::string::npos);
}

TEST_CASE("colour adds codes and nothing else") {
  const RunRecord record = good_record();
  std::string coloured = table_of(record, true);
  CHECK(coloured.find("\x1b[") != std::string::npos);
  for (std::size_t code = 0; (code = coloured.find("\x1b[")) != std::string::npos;) {
    coloured.erase(code, coloured.find('m', code) - code + 1);
  }
  CHECK(coloured == table_of(record));
}

TEST_CASE("text from outside cannot steer the terminal") {
  RunRecord record = good_record();
  record.model = "evil\x1b[2J\nname";
  CHECK(table_of(record).find('\x1b') == std::string::npos);
}

TEST_CASE("a first epoch is said with the others, and only a cut one is not finished") {
  RunRecord record = good_record();
  record.task = "train";
  record.epochs = 3;
  record.epoch_s_first = record.first_image_s = 3.0;
  record.first_image_it_s = 20.0;
  const std::string whole = table_of(record);
  CHECK_THAT(whole, ContainsSubstring("first epoch") && !ContainsSubstring("not finished"));
  record.epoch_s_first.reset();
  record.first_image_s.reset();
  CHECK_THAT(table_of(record), ContainsSubstring("cold, and not finished"));
}

TEST_CASE("the table of work without text, UNet and VAE leaves their lines out") {
  const Cell cell = test::training_cell();
  ExecutorObserver silent;
  const std::string table =
      table_of(build_record(cell, test::train(cell, silent), RecordContext{}));
  CHECK_THAT(table, ContainsSubstring("load"));
  CHECK_THAT(table, ContainsSubstring("timed runs"));
  for (const char* const none : {"text encoder", "UNet x", "VAE decoder", "it/s", "s/it"}) {
    CHECK_THAT(table, !ContainsSubstring(none));
  }
}

#include "sdbench/front/compare/comparison.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "compare_rows.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/front/compare/answer.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/flags.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/results/result_table.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;
using test::compared;
using test::failed_row;
using test::row_of;

namespace {

RunRecord changed(RunRecord row, const std::function<void(RunRecord&)>& change) {
  change(row);
  return row;
}

CompareOptions with_baseline(const std::string& name) {
  CompareOptions options;
  options.baseline = name;
  return options;
}

} // namespace

TEST_CASE("repeated runs of one cell are one place with the harmonic mean of their rates") {
  const auto result = compared({row_of(10, "a"), row_of(20, "b")});
  REQUIRE(result.comparison.pools.size() == 1);
  CHECK(result.pool("a").figure->mean == Approx((0.1 + 0.05) / 2));
  CHECK(result.pool("a").figure->runs == 10);
}

TEST_CASE("rows are never pooled over engine revisions, weights, cards or environments") {
  using R = RunRecord;
  const std::vector<std::function<void(R&)>> changes = {
      [](R& r) { r.engine_revision = 2; },      [](R& r) { r.weights = "checkpoint"; },
      [](R& r) { r.weights = "synthetic:1"; },  [](R& r) { r.engine = "other"; },
      [](R& r) { r.env_id = "elsewhere"; },     [](R& r) { r.variant_id = "otherwise"; },
      [](R& r) { r.device_uuid = "GPU-1"; },    [](R& r) { r.device_index = 1; },
      [](R& r) { r.parallel_role = "device"; }, [](R& r) { r.parallel_role = "sum"; }};
  for (const auto& change : changes) {
    const auto result = compared({row_of(10, "a"), changed(row_of(10, "b"), change)});
    CHECK(result.comparison.pools.size() == 2);
    CHECK(result.comparison.columns.size() == 1);
    CHECK(result.name("a") != result.name("b"));
  }
}

TEST_CASE("two cards of one host are never pooled as repeats, whatever the columns are") {
  using R = RunRecord;
  for (const FieldName field : {FieldName("label"), FieldName("host"), FieldName("device_name"),
                                FieldName("driver_version")}) {
    CAPTURE(field.text());
    CompareOptions options;
    options.column_fields = {field.place()};
    const auto result =
        compared({row_of(10, "a"), changed(row_of(11, "b"), [](R& r) { r.device_uuid = "GPU-1"; }),
                  changed(row_of(12, "c"), [](R& r) { r.device_uuid = "GPU-2"; }),
                  changed(row_of(13, "d"), [](R& r) { r.device_index = 1; })},
                 options);
    CHECK(result.comparison.pools.size() == 4);
    CHECK(result.comparison.columns.size() == 1);
  }
}

TEST_CASE("one card in several states is several lines, named by what differs") {
  using R = RunRecord;
  const auto row = [](double it_s, const std::string& id, double limit) {
    return changed(row_of(it_s, id), [&](R& r) {
      r.power_limit_w = limit;
      r.ecc = "on";
      r.mig = "off";
      r.pcie_generation_used = 4;
      r.pcie_width_used = 16;
      r.sm_clock_hz_max = 1.98e9;
    });
  };
  const auto limits = compared({row(10, "a", 200), row(12, "b", 300), row(11, "c", 250),
                                row(12, "d", 300), row(10, "e", 200), row(11, "f", 250)});
  REQUIRE(limits.comparison.lines.size() == 3);
  CHECK(limits.name("a") == "Card, power limit 200 W");
  CHECK(limits.name("a") == limits.name("e"));
  CHECK(limits.name("b") == "Card, power limit 300 W");
  CHECK(limits.name("c") == "Card, power limit 250 W");

  const std::vector<std::pair<std::function<void(R&)>, std::string>> states = {
      {[](R& r) { r.ecc = "off"; }, "ECC off"},
      {[](R& r) { r.mig = "on"; }, "MIG on"},
      {[](R& r) { r.pcie_generation_used = 3; }, "PCIe generation 3"},
      {[](R& r) { r.pcie_width_used = 8; }, "PCIe lanes 8"},
      {[](R& r) {
         r.throttle_reasons = "applications_clocks_setting";
         r.sm_clock_hz_max = 1.2e9;
       },
       "clocks set to 1200 MHz"},
      {[](R& r) {
         r.device_name = "Card MIG 1g.10gb";
         r.env_id = "instance";
       },
       "MIG 1g.10gb"}};
  for (const auto& [change, words] : states) {
    CAPTURE(words);
    const auto two =
        compared({row(10, "a", 200), row(10, "c", 200), changed(row(9, "b", 200), change),
                  changed(row(9, "d", 200), change)});
    CHECK(two.comparison.lines.size() == 2);
    CHECK(two.name("b").find(words) != std::string::npos);
    CHECK(two.name("a") == two.name("c"));
  }
}

TEST_CASE("a card is one machine whatever a failed, short or odd row could not see of it") {
  using R = RunRecord;
  const auto row = [](const std::string& id) {
    return changed(row_of(10, id), [](R& r) {
      r.power_limit_w = 700;
      r.pcie_generation_used = 5;
      r.pcie_width_used = 16;
      r.throttle_reasons = "none";
      r.sm_clock_hz_max = 1.98e9;
      r.telemetry_samples = 100;
    });
  };
  const std::vector<std::function<void(R&)>> changes = {
      [](R& r) { // out of memory: the link was never used
        r.status = "oom_device";
        r.unet_it_s.reset();
        r.pcie_generation_used.reset();
        r.pcie_width_used.reset();
        r.sm_clock_hz_max.reset();
        r.throttle_reasons.clear();
      },
      [](R& r) { // failed at rest
        r.status = "crash";
        r.pcie_generation_used = 1;
        r.pcie_width_used = 8;
        r.throttle_reasons = "applications_clocks_setting";
        r.sm_clock_hz_max = 2.1e8;
      },
      [](R& r) { // over before the link woke up
        r.telemetry_samples = 1;
        r.pcie_generation_used = 1;
      },
      [](R& r) { r.pcie_generation_used = 4; }, // seen only once
      [](R& r) { r.power_limit_w.reset(); },
  };
  for (const auto& change : changes) {
    const auto result =
        compared({changed(row_of(10, "a"), [](R&) {}), changed(row("b"), change), row("c"),
                  row("d"), changed(row("e"), [](R& r) { // different work on the same card
                    r.workload_id = "other";
                    r.batch = 16;
                  })});
    CHECK(result.comparison.lines.size() == 1);
  }
  const auto limited = compared({row("a"), changed(row("b"), [](R& r) { r.power_limit_w = 500; })});
  CHECK(limited.comparison.lines.size() == 2);
}

TEST_CASE(
    "a row that may be of two states or ways is a line of its own, whatever order rows have") {
  using R = RunRecord;
  const auto row = [](const std::string& id, double it_s, const std::function<void(R&)>& change) {
    return changed(row_of(it_s, id), [&](R& r) {
      r.telemetry_samples = 100;
      change(r);
    });
  };
  struct Unsure {
    std::function<void(R&)> one;
    std::function<void(R&)> other;
    std::function<void(R&)> unknown;
  };
  const auto of_limit = [](double limit) { return [=](R& r) { r.power_limit_w = limit; }; };
  const auto of_lanes = [](std::int64_t lanes) { return [=](R& r) { r.pcie_width_used = lanes; }; };
  const auto of_way = [](const char* dtype) { return [=](R& r) { r.dtype_unet = dtype; }; };
  const auto of_kernel = [](const char* used) { return [=](R& r) { r.attention_used = used; }; };
  const std::vector<Unsure> all = {
      {of_limit(350), of_limit(700), [](R&) {}},
      {of_limit(1000), of_limit(700), [](R&) {}},
      {of_lanes(8), of_lanes(16), [](R&) {}},
      {of_way("fp16"), of_way("fp32"), of_way("")},
      {of_kernel("flash"), of_kernel("math"), [](R&) {}},
  };
  for (const auto& [one, other, unknown] : all) {
    std::vector<RunRecord> rows = {row("a", 10, one),     row("b", 10, one),
                                   row("c", 10, one),     row("d", 13, other),
                                   row("e", 12, unknown), row("f", 12, unknown)};
    std::set<std::string> names;
    for (std::size_t turn = 0; turn < rows.size(); ++turn) {
      const auto result = compared(rows);
      CHECK(result.pool("a").rows.size() == 3);
      CHECK(result.pool("d").rows.size() == 1);
      CHECK(result.pool("e").rows.size() == 2);
      names.insert(result.name("a") + "; " + result.name("d") + "; " + result.name("e"));
      std::ranges::rotate(rows, rows.begin() + 1);
    }
    CAPTURE(*names.begin());
    CHECK(names.size() == 1);
    std::erase_if(rows, [](const R& r) { return r.run_id == "d"; });
    CHECK(compared(rows).comparison.pools.size() == 1); // they fit only one pool
  }
}

TEST_CASE("a line is named by what any of its rows says, whichever comes first") {
  std::vector<RunRecord> rows = {row_of(10, "a"), row_of(10, "b"), row_of(10, "c")};
  rows[0].attention = rows[2].attention = "auto";
  rows[0].dtype_unet.clear();
  rows[2].dtype_unet.clear();
  rows.push_back(changed(row_of(5, "d"), [](RunRecord& r) {
    r.variant_id = "other";
    r.dtype_unet = "fp32";
    r.attention = "math";
  }));
  do {
    const auto result = compared(rows);
    CHECK(result.pool("a").rows.size() == 3);
    CHECK(result.name("a") == "Card, fp16");
    CHECK(result.name("d") == "Card, fp32");
    CHECK_THAT(result.notes("d"), !ContainsSubstring("in some of its"));
  } while (std::ranges::next_permutation(rows, {}, &RunRecord::run_id).found);
}

TEST_CASE("a failure joins the only machine that it fits, and is else one of its own") {
  using R = RunRecord;
  const auto limited = [](RunRecord row, double limit) {
    row.power_limit_w = limit;
    return row;
  };
  const RunRecord good = limited(row_of(10, "a"), 700);
  CHECK(compared({good, failed_row("oom_device", "b")}).comparison.lines.size() == 1);
  const auto other = compared({good, limited(failed_row("oom_device", "b"), 350)});
  CHECK(other.comparison.lines.size() == 2);
  CHECK(other.name("b") == "Card, power limit 350 W");
  const auto either = compared({good, limited(row_of(8, "c"), 350), failed_row("oom_device", "b")});
  CHECK(either.pool("a").failed.empty());
  CHECK(either.pool("c").failed.empty());
  const auto of_path = changed(failed_row("oom_device", "b"), [](R& r) {
    r.weights = "synthetic:7"; // known before the choices of "auto"
    r.dtype_unet.clear();
  });
  CHECK(compared({good, limited(of_path, 700)}).pool("a").failed.size() == 1);
}

TEST_CASE("a line of failures is named by the state of its card, whatever they could not see") {
  RunRecord good = row_of(10, "a");
  good.power_limit_w = 700;
  good.pcie_generation_used = 5;
  good.pcie_width_used = 16;
  good.telemetry_samples = 40;
  good.note = "before.csv";
  RunRecord failed = failed_row("oom_device", "b");
  failed.power_limit_w = 700;
  failed.note = "after.csv";
  const auto result = compared({good, failed}, with_baseline("before.csv"));
  for (const char* run : {"a", "b"}) {
    CHECK_THAT(result.name(run), !ContainsSubstring("PCIe"));
  }
  CHECK(result.name("a") != result.name("b"));
}

TEST_CASE("a row that was given another card's name is not pooled by its stale id") {
  const auto result =
      compared({row_of(10, "a"),
                changed(row_of(10, "b"), [](RunRecord& r) { r.device_name = "RTX 4090"; })});
  CHECK(result.comparison.pools.size() == 2);
  CHECK(result.name("b") == "RTX 4090");
}

TEST_CASE(
    "a row that says another way is not pooled by its stale variant_id, one that says none is") {
  using R = RunRecord;
  RunRecord known = row_of(10, "a");
  known.attention = known.graphs = known.kernels = "auto";
  known.attention_used = "flash";
  known.graphs_used = "loop";
  known.kernels_used = "own";
  known.tf32 = known.tf32_used = "off";
  known.offload = "none";
  known.threads = 0;
  known.device_arch = "Hopper";
  known.sm_count = 132;
  known.compute_capability = "9.0";
  known.device_memory_bytes = std::int64_t(80) << 30;
  known.dtype_vae = known.dtype_text = known.weights_dtype = "fp16";
  known.cuda_runtime_version = "13.0";
  known.cudnn_version = "9.19.0";
  known.vae_tiles = 1;
  known.os = "Debian";
  known.kernel = "6.1";
  known.core_count = 8;
  known.host_memory_bytes = std::int64_t(16) << 30;
  const std::vector<std::function<void(R&)>> edits = {
      [](R& r) { r.dtype_unet = "fp32"; },
      [](R& r) { r.attention = "math"; },
      [](R& r) { r.attention_used = "math"; },
      [](R& r) { r.graphs = "off"; },
      [](R& r) { r.graphs_used = "off"; },
      [](R& r) { r.kernels = "aten"; },
      [](R& r) { r.kernels_used = "aten"; },
      [](R& r) { r.tf32 = "on"; },
      [](R& r) { r.tf32_used = "on"; },
      [](R& r) { r.offload = "stages"; },
      [](R& r) { r.threads = 1; },
      [](R& r) { r.runtime_version = "2.15.0"; },
      [](R& r) { r.device_arch = "Ada"; },
      [](R& r) { r.sm_count = 128; },
      [](R& r) { r.compute_capability = "8.9"; },
      [](R& r) { r.device_memory_bytes = 1 << 30; },
      [](R& r) { r.dtype_vae = "fp32"; },
      [](R& r) { r.dtype_text = "fp32"; },
      [](R& r) { r.weights_dtype = "bf16"; },
      [](R& r) { r.cuda_runtime_version = "12.6"; },
      [](R& r) { r.cudnn_version = "9.99"; },
      [](R& r) { r.vae_tiles = 4; },
      [](R& r) { r.os = "Arch"; },
      [](R& r) { r.kernel = "6.2"; },
      [](R& r) { r.core_count = 4; },
      [](R& r) { r.host_memory_bytes = std::int64_t(4) << 30; },
  };
  for (const auto& edit : edits) {
    RunRecord edited = known;
    edited.run_id = "b";
    edit(edited);
    RunRecord old = row_of(10, "c"); // of a version without these fields, so it fits either
    old.threads.reset();
    old.dtype_unet.clear();
    old.runtime_version.clear();
    const auto result = compared({known, edited, old});
    CAPTURE(result.name("a"), result.name("b"));
    CHECK(result.comparison.pools.size() == 3);
    CHECK(result.name("a") != result.name("b"));
  }
  const std::vector<std::function<void(R&)>> texts = {
      // An empty text means that there was none.
      [](R& r) { r.cpu_share = "0/2"; },
      [](R& r) { r.share = "each"; },
      [](R& r) { r.openmp_config = "OMP_NUM_THREADS=1"; },
      [](R& r) { r.instruction_config = "ONEDNN_MAX_CPU_ISA=SSE41"; },
      [](R& r) { r.cuda_config = "CUDA_LAUNCH_BLOCKING=1"; },
  };
  for (const auto& edit : texts) {
    const auto result = compared({known, changed(row_of(10, "b"), edit), row_of(10, "c")});
    CHECK(result.pool("a").rows.size() == 2);
    CHECK(result.name("a") != result.name("b"));
  }
  RunRecord old = row_of(10, "c");
  old.runtime_version.clear();
  CHECK(compared({old, known}).comparison.pools.size() == 1);
}

TEST_CASE("a row that contradicts itself stays in the table, in no figure and no verdict") {
  const auto result =
      compared({row_of(10, "a"),
                changed(row_of(999, "b"), [](RunRecord& r) { add_flag(r, kContradicts); })});
  CHECK(result.comparison.pools.size() == 1);
  CHECK(result.pool("b").failed.size() == 1);
  CHECK(result.pool("b").figure->mean == Approx(0.1));
  CHECK(result.notes("a").find("contradicts itself") != std::string::npos);
}

TEST_CASE("what failed before its card's state was known is no line of its own") {
  const auto result =
      compared({changed(row_of(10, "a"), [](RunRecord& r) { r.power_limit_w = 200; }),
                failed_row("error", "b")});
  CHECK(result.comparison.lines.size() == 1);
}

TEST_CASE("a state that makes the columns makes no lines") {
  CompareOptions options;
  options.column_fields = {field_index("power_limit_w")};
  const auto result =
      compared({changed(row_of(10, "a"), [](RunRecord& r) { r.power_limit_w = 200; }),
                changed(row_of(12, "b"), [](RunRecord& r) { r.power_limit_w = 300; })},
               options);
  CHECK(result.comparison.columns.size() == 2);
  CHECK(result.comparison.lines.size() == 1);
}

TEST_CASE("rows of another seed, prompt, label or round repeat the same measurement") {
  const auto result = compared({row_of(10, "a"), changed(row_of(10, "b"), [](RunRecord& r) {
                                  r.seed = 7;
                                  r.prompt_sha256 = "p";
                                  r.label = "x";
                                  r.round = 2;
                                })});
  CHECK(result.comparison.pools.size() == 1);
}

TEST_CASE("other work is another column, named by what differs") {
  const auto result = compared({row_of(10, "a"), changed(row_of(2, "b"), [](RunRecord& r) {
                                  r.workload_id = "other";
                                  r.guidance = 1;
                                })});
  REQUIRE(result.comparison.columns.size() == 2);
  CHECK(result.comparison.columns[0].name == "sd15 512x512, 50 steps, batch 1, guidance 0");
  CHECK(result.comparison.columns[1].name == "sd15 512x512, 50 steps, batch 1, guidance 1");
  CHECK(result.comparison.lines.size() == 1);
  CHECK(result.pool("b").is_baseline); // alone in its column
}

TEST_CASE("rows that lack ids, or share one wrongly, are told apart by what they say themselves") {
  const auto without_ids = [](RunRecord row) {
    row.workload_id.clear();
    row.variant_id.clear();
    row.env_id.clear();
    return row;
  };
  using R = RunRecord;
  const std::vector<std::function<void(R&)>> work = {
      [](R& r) { r.model = "sdxl"; }, [](R& r) { r.batch = 8; }, [](R& r) { r.guidance = 1; },
      [](R& r) { r.clip_skip = 1; }};
  for (const auto& change : work) {
    CHECK(compared({row_of(10, "a"), changed(row_of(5, "b"), change)}).comparison.columns.size() ==
          2);
  }
  const std::vector<std::function<void(R&)>> ways = {[](R& r) { r.dtype_unet = "fp32"; },
                                                     [](R& r) { r.host = "beta"; },
                                                     [](R& r) { r.runtime_version = "2.7.1"; }};
  for (const auto& change : ways) {
    const auto result =
        compared({without_ids(row_of(10, "a")), changed(without_ids(row_of(5, "b")), change)});
    CHECK(result.comparison.pools.size() == 2);
    CHECK(result.name("a") != result.name("b"));
  }
}

TEST_CASE("rows without ids are of one work where only one of them says its task, the usual one") {
  const auto without_id = [](const std::string& run_id, const std::string& task) {
    RunRecord row = row_of(10, run_id);
    row.workload_id.clear();
    row.task = task;
    return row;
  };
  CHECK(compared({without_id("a", ""), without_id("b", "generate")}).comparison.columns.size() ==
        1);
  CHECK(compared({without_id("a", "infer"), without_id("b", "train")}).comparison.columns.size() ==
        2);
}

TEST_CASE("where an epoch's data lay is a way of working, and names it") {
  const auto on = [](const std::string& place) {
    return [place](RunRecord& r) {
      r.task = "train";
      r.epochs = 2;
      r.variant_id = r.data_place = place;
    };
  };
  const auto result =
      compared({changed(row_of(20, "a"), on("device")), changed(row_of(10, "b"), on("host"))});
  CHECK(result.comparison.columns.size() == 1);
  CHECK(result.comparison.columns[0].name.find("device") == std::string::npos);
  CHECK(result.name("a") == "Card, data on the device");
  CHECK(result.name("b") == "Card, data on the host");
}

TEST_CASE("one machine with different checkpoints for two models is one line") {
  const auto result = compared({row_of(10, "a"), changed(row_of(2, "b"), [](RunRecord& r) {
                                  r.workload_id = "other";
                                  r.model = "sdxl";
                                  r.weights = "synthetic:9";
                                })});
  CHECK(result.comparison.lines.size() == 1);
}

TEST_CASE("lines are sorted by speed, failures stay and come last with their status") {
  const auto other = [](RunRecord row, const std::string& env, const std::string& name) {
    row.env_id = env;
    row.device_name = name;
    return row;
  };
  const auto result =
      compared({other(failed_row("oom_device", "c"), "e3", "Small"),
                other(row_of(10, "a"), "e1", "Slow"), other(row_of(20, "b"), "e2", "Fast")});
  REQUIRE(result.comparison.lines.size() == 3);
  CHECK(result.comparison.lines[0].name == "Fast");
  CHECK(result.comparison.lines[1].name == "Slow");
  CHECK(result.comparison.lines[2].name == "Small");
  CHECK_FALSE(result.pool("c").figure.has_value());
  CHECK(result.pool("b").is_baseline);
  CHECK(result.pool("a").verdict == Verdict::kSlower);
  CHECK(result.pool("a").relative.value == Approx(0.5));
}

TEST_CASE("a failure joins its good repeats and is said") {
  const auto result = compared({failed_row("timeout", "c"), row_of(10, "a"), row_of(10, "b")});
  REQUIRE(result.comparison.pools.size() == 1);
  CHECK(result.pool("c").figure.has_value());
  CHECK_THAT(result.notes("c"), ContainsSubstring("failed (1 of 3 rows): timeout"));
}

TEST_CASE("cut runs count only where there are no whole ones") {
  const auto partial = changed(row_of(30, "cut"), [](RunRecord& r) { r.flags = "noisy partial"; });
  const auto beside = compared({row_of(10, "a"), partial});
  CHECK(beside.pool("cut").figure->mean == Approx(0.1));
  CHECK_THAT(beside.notes("cut"), ContainsSubstring("1 left out"));
  const auto alone = compared({partial});
  CHECK(alone.pool("cut").figure->mean == Approx(1.0 / 30));
  CHECK_THAT(alone.notes("cut"), ContainsSubstring("no timed run was finished"));
}

TEST_CASE("rows of a suspended machine, a lost GPU or an Xid are in no verdict") {
  const auto [flag, reason] =
      GENERATE(std::pair("suspended", "the machine was suspended"),
               std::pair("gpu_lost", "the GPU stopped answering"),
               std::pair("xid", "the GPU's driver reported an error (Xid)"));
  const std::string flags = std::string("noisy ") + flag;
  const auto slept = changed(row_of(30, "slept"), [&](RunRecord& r) { r.flags = flags; });
  const auto beside = compared({row_of(10, "a"), slept});
  CHECK(beside.pool("slept").figure->mean == Approx(0.1));
  CHECK_THAT(beside.notes("slept"),
             ContainsSubstring(std::string("1 left out, because ") + reason));
  const auto alone = compared({slept}); // left out even without other rows
  CHECK_FALSE(alone.pool("slept").figure.has_value());
  CHECK_THAT(alone.notes("slept"), ContainsSubstring("1 left out"));
  const auto cut = changed(row_of(20, "cut"), [](RunRecord& r) { r.flags = "partial"; });
  CHECK(compared({slept, cut}).pool("cut").figure->mean == Approx(1.0 / 20));
}

TEST_CASE("a machine's ways are told apart by what differs, and marked where it matters") {
  const auto result = compared({row_of(20, "a"), changed(row_of(10, "b"), [](RunRecord& r) {
                                  r.variant_id = "v32";
                                  r.dtype_unet = "fp32";
                                  r.attention_used = "math";
                                  r.flags = "throttled";
                                  r.runtime_version = "2.7.1";
                                })});
  CHECK(result.name("a") == "Card, fp16");
  CHECK(result.name("b") == "Card, fp32");
  CHECK_THAT(result.notes("b"), ContainsSubstring("libtorch 2.7.1 (the best: 2.11.0)"));
  CHECK_THAT(result.notes("b"), ContainsSubstring("throttled: "));
  CHECK(result.notes("b").find("UNet in") == std::string::npos); // the name already tells it
  CHECK(result.notes("a").empty());
}

TEST_CASE("the version of a runtime that is not libtorch is not called libtorch's") {
  const auto of_abacus = [](const std::string& version) {
    return [version](RunRecord& r) {
      r.variant_id = r.runtime_version = version;
      r.engine = "abacus";
    };
  };
  const auto result = compared(
      {changed(row_of(20, "a"), of_abacus("1")), changed(row_of(10, "b"), of_abacus("2"))});
  CHECK(result.name("a") == "Card, runtime 1");
  CHECK(result.name("b") == "Card, runtime 2");
}

TEST_CASE("a way that was asked for and not to be had is named by what was instead") {
  RunRecord asked = row_of(10, "a");
  asked.packed_weights = "winograd";
  asked.packed_weights_used = "onednn";
  RunRecord usual = row_of(11, "b");
  usual.variant_id = "other";
  usual.packed_weights = usual.packed_weights_used = "onednn";
  const auto result = compared({asked, usual});
  CHECK(result.name("a") == "Card, packed for oneDNN instead of Winograd");
  CHECK(result.name("b") == "Card, packed for oneDNN");
}

TEST_CASE("revisions of two engines are not compared: each engine counts its own") {
  const auto result = compared({row_of(20, "a"), changed(row_of(10, "b"), [](RunRecord& r) {
                                  r.engine = "openvino";
                                  r.engine_revision = 2026004001;
                                })});
  CHECK_THAT(result.notes("b"), !ContainsSubstring("engine revision"));
}

TEST_CASE("a difference is marked though its digits or letters stand in the machine's name") {
  const auto result = compared({changed(row_of(20, "a"),
                                        [](RunRecord& r) {
                                          r.device_name = "Card B200";
                                          r.engine_revision = 2;
                                          r.tf32_used = "off";
                                        }),
                                changed(row_of(10, "b"), [](RunRecord& r) {
                                  r.device_name = "Carbon A100";
                                  r.env_id = "elsewhere";
                                  r.engine_revision = 1;
                                  r.tf32_used = "on";
                                })});
  CHECK_THAT(result.notes("b"), ContainsSubstring("engine revision 1 (the best: 2)"));
  CHECK_THAT(result.notes("b"), ContainsSubstring("TF32 on (the best: off)"));
}

TEST_CASE("a row's fields make lines, and a column's make columns of one machine") {
  const auto fp32 = changed(row_of(10, "b"), [](RunRecord& r) {
    r.variant_id = "v32";
    r.runtime_version = "2.7.1";
  });
  CompareOptions options;
  options.metric = find_metric("unet_it_s");
  options.column_fields = {field_index("runtime_version")};
  const auto result = compared({row_of(20, "a"), fp32}, options);
  CHECK(result.comparison.lines.size() == 1);
  REQUIRE(result.comparison.columns.size() == 2);
  CHECK_THAT(result.comparison.columns[0].name, ContainsSubstring("libtorch 2.11.0"));
  options.column_fields.clear();
  options.row_fields = {field_index("label")};
  const auto by_label = compared(
      {row_of(20, "a"), changed(row_of(10, "b"), [](RunRecord& r) { r.label = "new"; })}, options);
  CHECK(by_label.comparison.lines.size() == 2);
  CHECK(by_label.name("b") == "new");
}

TEST_CASE("a line is not named by what makes the columns, but by what all its rows share") {
  const auto way = [](RunRecord row, const std::string& kernels, const std::string& dtype,
                      const std::string& device) {
    row.kernels = kernels;
    row.dtype_unet = dtype;
    row.device_name = device;
    row.variant_id = kernels + dtype;
    row.env_id = device;
    return row;
  };
  const std::vector<RunRecord> of_one_card = {way(row_of(20, "a"), "aten", "fp16", "Card"),
                                              way(row_of(30, "b"), "own", "fp16", "Card"),
                                              way(row_of(9, "c"), "aten", "fp32", "Card")};
  CompareOptions options;
  options.metric = find_metric("unet_it_s");
  SECTION("an axis of the engine") {
    options.column_fields = {field_index("kernels")};
    const auto result = compared(of_one_card, options);
    CHECK(result.comparison.columns.size() == 2);
    CHECK(result.name("a") == "Card, fp16");
    CHECK(result.name("b") == "Card, fp16");
    CHECK(result.name("c") == "Card, fp32");
  }
  SECTION("the number format") {
    options.column_fields = {field_index("dtype_unet")};
    const auto result = compared(of_one_card, options);
    CHECK(result.name("a") == "Card, ATen's kernels");
    CHECK(result.name("b") == "Card, own kernels");
    CHECK(result.name("c") == "Card, ATen's kernels");
  }
  SECTION("the device: no line is of one alone") {
    options.column_fields = {field_index("device_name")};
    const auto result = compared({way(row_of(20, "a"), "aten", "fp16", "Card"),
                                  way(row_of(30, "b"), "aten", "fp16", "Other"),
                                  way(row_of(9, "c"), "own", "fp16", "Card"),
                                  way(row_of(9, "d"), "aten", "fp32", "Card")},
                                 options);
    CHECK(result.name("a") == "fp16, ATen's kernels");
    CHECK(result.name("b") == "fp16, ATen's kernels");
    CHECK(result.name("c") == "fp16, own kernels");
    CHECK(result.name("d") == "fp32");
    options.column_fields.push_back(field_index("dtype_unet"));
    CHECK(compared({way(row_of(20, "a"), "aten", "fp16", "Card"),
                    way(row_of(9, "b"), "aten", "fp32", "Other")},
                   options)
              .name("a") == "all");
  }
}

TEST_CASE("a baseline's file is pooled apart, and each row meets its counterpart there") {
  const auto in_file = [](RunRecord row, const std::string& file, const std::string& dtype) {
    row.note = file;
    row.dtype_unet = dtype;
    row.variant_id = dtype;
    return row;
  };
  const auto result = compared({in_file(row_of(20, "a"), "before.csv", "fp16"),
                                in_file(row_of(10, "b"), "before.csv", "fp32"),
                                in_file(row_of(22, "c"), "after.csv", "fp16"),
                                in_file(row_of(9, "d"), "after.csv", "fp32"),
                                in_file(row_of(9, "e"), "after.csv", "bf16")},
                               with_baseline("before.csv"));
  CHECK(result.pool("a").is_baseline);
  CHECK(result.pool("c").relative.value == Approx(1.1));
  CHECK(result.pool("d").relative.value == Approx(0.9));
  CHECK_FALSE(result.pool("e").base.has_value()); // neither has its settings
  CHECK_THAT(result.name("c"), ContainsSubstring("after.csv"));
}

TEST_CASE("a baseline's file is the one of that path, and a bare name must be that of one file") {
  const auto in_file = [](RunRecord row, const std::string& file) {
    row.note = file;
    return row;
  };
  const std::vector<RunRecord> rows = {in_file(row_of(20, "a"), "old/desk.csv"),
                                       in_file(row_of(10, "b"), "desk.csv")};
  CHECK(compared(rows, with_baseline("desk.csv")).pool("a").relative.value == Approx(2));
  CHECK(compared(rows, with_baseline("./old/desk.csv")).pool("b").relative.value == Approx(0.5));
  CHECK(compared(rows, with_baseline("old")).pool("b").relative.value == Approx(0.5));
  CHECK_THROWS_WITH(
      compared({in_file(row_of(20, "a"), "old/desk.csv"), in_file(row_of(10, "b"), "new/desk.csv")},
               with_baseline("desk.csv")),
      ContainsSubstring("may be new/desk.csv or old/desk.csv"));
  CHECK(
      compared({in_file(row_of(20, "a"), "old/desk.csv"), in_file(row_of(10, "b"), "new/lap.csv")},
               with_baseline("lap.csv"))
          .pool("b")
          .is_baseline);
}

TEST_CASE("rows of other tags are told apart, and named by them") {
  const auto tagged = [](const char* run, const char* tags) {
    return changed(row_of(10, run), [&](RunRecord& row) { row.tags = tags; });
  };
  const auto result = compared({tagged("a", "cooler=air"), tagged("b", "cooler=water"),
                                tagged("c", ""), tagged("d", "cooler=air")});
  CHECK(result.pool("a").rows.size() == 2);
  CHECK(result.name("a") == "Card, cooler=air");
  CHECK(result.name("b") == "Card, cooler=water");
  CHECK(result.name("c") == "Card");
}

TEST_CASE("a baseline may be a host, a label, a device, a run, a line's number or its name") {
  const auto beta = changed(row_of(10, "bbbbb"), [](RunRecord& r) {
    r.env_id = "b";
    r.host = "beta";
    r.device_name = "Slow Card";
    r.label = "night";
  });
  for (const char* name : {"beta", "night", "Slow Card", "bbbb", "2", "slow card"}) {
    const auto result = compared({row_of(20, "aaaaa"), beta}, with_baseline(name));
    CHECK(result.pool("bbbbb").is_baseline);
    CHECK(result.pool("aaaaa").relative.value == Approx(2));
  }
  const auto card = changed(beta, [](RunRecord& r) { r.device_name = "NVIDIA GeForce RTX 3060"; });
  const auto larger =
      changed(row_of(20, "aaaaa"), [](RunRecord& r) { r.device_name = "RTX 3060 Ti"; });
  for (const char* name : {"RTX 3060", "geforce rtx 3060", "NVIDIA GeForce RTX 3060"}) {
    CHECK(compared({larger, card}, with_baseline(name)).pool("bbbbb").is_baseline);
  }
  for (const char* name : {"RTX 30", "NVIDIA", "3060"}) {
    CHECK_THROWS_AS(compared({larger, card}, with_baseline(name)), UsageError);
  }
  CHECK_THROWS_WITH(compared({row_of(20, "a"), beta}, with_baseline("bta")),
                    ContainsSubstring("did you mean beta?"));
  CHECK_THROWS_AS(compared({row_of(20, "a")}, with_baseline("2")), UsageError);
}

TEST_CASE("the answer names the next machine, too, where the next row is the same in another way") {
  const auto way = [](RunRecord row, const std::string& dtype) {
    row.dtype_unet = dtype;
    row.variant_id = dtype;
    return row;
  };
  const auto laptop = [&](RunRecord row) {
    row.device_name = "Laptop";
    row.env_id = "laptop";
    row.host = "lap";
    return row;
  };
  const auto first = compared({way(row_of(20, "a"), "fp16"), way(row_of(10, "b"), "fp32"),
                               way(laptop(row_of(5, "c")), "fp16")});
  const std::string words = answer_words(first.comparison, first.comparison.columns[0]);
  CHECK_THAT(words, ContainsSubstring("2.00 times as fast as Card, fp32"));
  CHECK_THAT(words, ContainsSubstring("of other machines next, 4.00 times as fast as Laptop"));
  const auto second =
      compared({way(row_of(20, "a"), "fp16"), laptop(way(row_of(10, "b"), "fp32"))});
  CHECK(answer_words(second.comparison, second.comparison.columns[0]).find("other machines") ==
        std::string::npos);
}

TEST_CASE("the answer's first word is the verdict") {
  const auto answer = [](double other_it_s, double sd_part, const CompareOptions& options) {
    RunRecord other = row_of(other_it_s, "b");
    other.device_name = "Laptop";
    other.env_id = "laptop";
    RunRecord ours = row_of(20, "a");
    for (RunRecord* row : {&ours, &other}) {
      row->unet_s_sd = *row->unet_s * sd_part;
    }
    const auto both = compared({ours, other}, options);
    return answer_words(both.comparison, both.comparison.columns[0]);
  };
  const CompareOptions best = with_baseline("best");
  CHECK(answer(10, 0.01, best).starts_with("fastest: Card, 2.00 times as fast as Laptop ("));
  const std::string unclear = answer(10, 0.9, best);
  CHECK(unclear.starts_with("unclear: Card, 2.00 times as fast as Laptop"));
  CHECK(unclear.find("fastest") == std::string::npos);
  CHECK(answer(19.999, 0.0001, best).starts_with("the same within 1 %: Card, 1.00 times as fast"));
  CHECK(answer(10, 0.01, with_baseline("Laptop")).starts_with("faster: Card is 2.00 times"));
  CHECK(answer(40, 0.01, with_baseline("Laptop")).starts_with("slower: Card is 0.500 times"));
  CHECK(answer(10, 0.9, with_baseline("Laptop")).starts_with("unclear: Card is 2.00 times"));
}

TEST_CASE("two rows that lie farther apart than their runs explain are marked") {
  CHECK_THAT(compared({row_of(10, "a"), row_of(12, "b")}).notes("a"),
             ContainsSubstring("add a third"));
  CHECK(compared({row_of(10, "a"), row_of(10.01, "b")}).notes("a").empty());
}

TEST_CASE("a baseline may be a machine as the first table shows it, with all of its lines") {
  std::vector<RunRecord> rows;
  for (const std::string host : {"desk1", "desk9"}) {
    for (const std::string engine : {"plain", "tuned"}) {
      rows.push_back(changed(row_of(20, host + engine), [&](RunRecord& r) {
        r.device_name = "NVIDIA GeForce RTX 4090";
        r.host = host;
        r.env_id = "env of " + host;
        r.engine = engine;
        r.variant_id = "variant of " + engine;
      }));
    }
  }
  for (const char* name : {"RTX 4090 on desk9", "nvidia geforce RTX 4090 on desk9"}) {
    const auto result = compared(rows, with_baseline(name));
    CHECK(result.pool("desk9plain").is_baseline);
    CHECK(result.pool("desk9tuned").is_baseline);
    CHECK_FALSE(result.pool("desk1plain").is_baseline);
  }
  CHECK_THROWS_AS(compared(rows, with_baseline("RTX 4090 on desk8")), UsageError);
}

TEST_CASE("a baseline's device must be one card, in whatever ways it was measured") {
  const auto on = [](RunRecord row, const std::string& host, const std::string& uuid) {
    row.device_name = "NVIDIA GeForce RTX 3060";
    row.host = host;
    row.env_id = "env of " + host + uuid;
    row.device_uuid = uuid;
    row.label = "lab";
    row.note = "lab.csv";
    return row;
  };
  const RunRecord desk = on(row_of(20, "aaaaa"), "desk", "");
  const RunRecord tuned = changed(on(row_of(15, "bbbbb"), "desk", ""), [](RunRecord& row) {
    row.engine = "tuned";
    row.variant_id = "tuned";
  });
  for (const char* name : {"RTX 3060", "NVIDIA GeForce RTX 3060"}) {
    const auto one = compared({desk, tuned}, with_baseline(name));
    CHECK(one.pool("aaaaa").is_baseline);
    CHECK(one.pool("bbbbb").is_baseline);
    CHECK_THROWS_WITH(
        compared({desk, tuned, on(row_of(9, "ccccc"), "lap", "")}, with_baseline(name)),
        ContainsSubstring("fits NVIDIA GeForce RTX 3060 on desk and NVIDIA GeForce "
                          "RTX 3060 on lap; take one of these names"));
    CHECK_THROWS_AS(compared({on(row_of(20, "aaaaa"), "desk", "GPU-1"),
                              on(row_of(20, "bbbbb"), "desk", "GPU-2")},
                             with_baseline(name)),
                    UsageError);
    CHECK(compared({on(row_of(20, "aaaaa"), "container1", "GPU-1"),
                    on(row_of(20, "bbbbb"), "container2", "GPU-1")},
                   with_baseline(name))
              .pool("bbbbb")
              .is_baseline); // one card, even under two host names
  }
  for (const char* name : {"lab", "lab.csv"}) {
    CHECK(compared({desk, on(row_of(9, "ccccc"), "lap", "")}, with_baseline(name))
              .pool("ccccc")
              .is_baseline);
  }
}

namespace {

/// A row of a card in a host, as one session measured it on all cards.
RunRecord row_on(double it_s, const std::string& host, const std::string& uuid) {
  return changed(row_of(it_s, host + uuid), [&](RunRecord& row) {
    row.host = host;
    row.env_id = "env of " + host;
    row.cpu = "processor of " + host;
    row.core_count = static_cast<std::int64_t>(host.size());
    row.device_uuid = uuid;
    row.sweep_id = "sweep";
  });
}

CompareOptions between_cards() {
  CompareOptions options;
  options.pools_cards = true;
  return options;
}

} // namespace

TEST_CASE("pooled cards of one model are one line, whose interval is between them") {
  const std::vector<RunRecord> rows = {
      row_on(10, "desk", "GPU-1"), row_on(12, "desk", "GPU-2"), row_on(11, "server", "GPU-3"),
      changed(row_on(20, "server", "GPU-4"), [](RunRecord& row) { row.device_name = "Other"; })};
  const auto result = compared(rows, between_cards());
  REQUIRE(result.comparison.lines.size() == 2);
  CHECK(result.name("deskGPU-1") == "Card");
  const Pool& pool = result.pool("deskGPU-1");
  CHECK(pool.cards == 3);
  CHECK(pool.hosts == 2);
  CHECK(pool.figure->basis == IntervalBasis::kCards);
  CHECK(pool.figure->degrees_of_freedom == 2);
  CHECK(pool.figure->covers_starts());
  CHECK(result.notes("deskGPU-1").empty());
  CHECK_FALSE(result.pool("serverGPU-4").figure->half_width().has_value());
  CHECK(result.notes("serverGPU-4") == "one card, so there is no interval between cards\n");
  CHECK(pool.verdict == Verdict::kUnclear); // the best has one card
  CHECK(answer_words(result.comparison, result.comparison.columns.front())
            .ends_with("Other has no usable 95 % interval between cards (one card, or wider than "
                       "the mean); more cards give one"));
  const auto usual = compared(rows);
  CHECK(usual.comparison.lines.size() == 4);
  CHECK(usual.pool("deskGPU-1").cards == 1);
  CHECK(usual.pool("deskGPU-1").hosts == 1);
}

TEST_CASE("cards with other drivers, states or settings are not pooled") {
  using R = RunRecord;
  const std::vector<std::function<void(R&)>> changes = {
      [](R& r) { r.driver_version = "9"; },  [](R& r) { r.power_limit_w = 99; },
      [](R& r) { r.variant_id = "other"; },  [](R& r) { r.device_memory_bytes = 99; },
      [](R& r) { r.engine_revision = 2; },   [](R& r) { r.runtime_version = "9"; },
      [](R& r) { r.device_name = "Other"; }, [](R& r) { r.tags = "cooler=air"; }};
  for (const auto& change : changes) {
    RunRecord plain = row_on(10, "desk", "GPU-1");
    plain.driver_version = "8";
    plain.power_limit_w = 100;
    plain.device_memory_bytes = 100;
    RunRecord other = plain;
    other.host = "server";
    other.env_id = "env of server";
    other.device_uuid = "GPU-2";
    other.run_id = "other";
    CHECK(compared({plain, other}, between_cards()).comparison.pools.size() == 1);
    const auto result = compared({plain, changed(other, change)}, between_cards());
    CHECK(result.comparison.pools.size() == 2);
    CHECK(result.name("deskGPU-1") != result.name("other"));
  }
}

TEST_CASE("a card is known by its UUID, else by its PCI address, and a CPU by its host") {
  const auto counts = [](const std::vector<RunRecord>& rows) {
    const auto result = compared(rows, between_cards());
    REQUIRE(result.comparison.pools.size() == 1);
    return std::pair(result.comparison.pools.front().cards, result.comparison.pools.front().hosts);
  };
  using Counts = std::pair<std::size_t, std::size_t>;
  const auto at = [](RunRecord row, const std::string& address) {
    row.device_pci_address = address;
    row.run_id += address;
    return row;
  };
  const auto cpu = [](RunRecord row) {
    row.device_kind = "cpu";
    return row;
  };
  // A card that moved to another host is still one; a redacted UUID tells cards apart, too.
  CHECK(counts({row_on(10, "desk", "#1f00ab"), row_on(12, "server", "#1f00ab")}) == Counts(1, 2));
  CHECK(counts({row_on(10, "desk", "#1f00ab"), row_on(12, "desk", "#2f00ab")}) == Counts(2, 1));
  CHECK(counts({at(row_on(10, "desk", ""), "0000:01:00.0"),
                at(row_on(11, "desk", ""), "0000:02:00.0"),
                at(row_on(12, "server", ""), "0000:01:00.0")}) == Counts(3, 2));
  CHECK(counts({cpu(row_on(10, "desk", "")), cpu(row_on(12, "server", ""))}) == Counts(2, 2));
  CHECK(counts({row_on(10, "desk", ""), row_on(12, "server", "GPU-1")}) == Counts(0, 2));
  // Both rows may be of one card.
  CHECK(counts({at(row_on(10, "desk", ""), "0000:01:00.0"),
                at(row_on(12, "desk", "GPU-1"), "0000:01:00.0")}) == Counts(0, 1));
}

TEST_CASE("the MIG instances of one card are one card, or unknown without its PCI address") {
  const auto counts = [](const std::string& first, const std::string& second,
                         const std::string& address) {
    const auto at = [&](double it_s, const std::string& uuid) {
      return changed(row_on(it_s, "desk", uuid), [&](RunRecord& row) {
        row.mig = "on";
        row.device_pci_address = address;
      });
    };
    const auto result = compared({at(10, first), at(12, second)}, between_cards());
    REQUIRE(result.comparison.pools.size() == 1);
    return result.comparison.pools.front().cards;
  };
  CHECK(counts("MIG-1", "MIG-2", "0000:01:00.0") == 1);
  CHECK(counts("MIG-1", "MIG-2", "") == 0);
  CHECK(counts("#1f00ab", "#2f00ab", "") == 0); // redacted
}

TEST_CASE("rows that do not tell their card count by host, which is said") {
  const auto result = compared({row_on(10, "desk", ""), row_on(12, "server", "GPU-1"),
                                row_on(14, "server", "GPU-2"), row_on(11, "rack", "GPU-3")},
                               between_cards());
  const Pool& pool = result.pool("desk");
  CHECK(pool.figure->basis == IntervalBasis::kHosts);
  CHECK(pool.figure->degrees_of_freedom == 2);
  CHECK(result.notes("desk") ==
        "a row does not tell its card (device_uuid), so each host counts as one card\n");
  const auto one = compared({row_on(10, "desk", "")}, between_cards());
  CHECK(one.notes("desk").ends_with("one host, so there is no interval between hosts\n"));
}

#include "sdbench/front/slurm/slurm_node.h"

#include "catch.h"
#include "sdbench/base/errors/error.h"

using namespace sdbench;

TEST_CASE("GPUs are read of every form of gres, and other resources are none") {
  CHECK(gpus_of("gpu:a100:4(S:0-1)") == std::vector<GpuKind>{{"a100", 4}});
  CHECK(gpus_of("gpu:2") == std::vector<GpuKind>{{"", 2}});
  CHECK(gpus_of("shard:8,gpu:v100:1(S:0,1),gpu:t4:2,nic:1") ==
        std::vector<GpuKind>{{"v100", 1}, {"t4", 2}});
  CHECK(gpus_of("gpu:a100:4(S:0-1),shard:8") == std::vector<GpuKind>{{"a100", 4}});
  CHECK(gpus_of("gpu:a100:no_consume:4,gpu:no_consume:2") ==
        std::vector<GpuKind>{{"a100", 4}, {"", 2}});
  CHECK(gpus_of("(null)").empty());
  CHECK(gpus_of("").empty());
  CHECK(gpus_of("gpu") == std::vector<GpuKind>{{"", 1}});
  CHECK(gpus_of("gpu:a100,gpu:1g.5gb(S:0)") == std::vector<GpuKind>{{"a100", 1}, {"1g.5gb", 1}});
  CHECK(gpus_of("gpu:2K").empty());
  CHECK(gpus_of("gpu:").empty());
  CHECK(gpus_of("gpu:a100:").empty());
  CHECK(gpus_of("gpu:a100:many").empty());
  CHECK(gpus_of("gpu:a100:0").empty());
}

TEST_CASE("a node of several partitions stands there once, and others than the default one's not") {
  const std::string lines = "n1|main*|idle|8|64000|gpu:2|ib\nn1|fast|idle|8|64000|gpu:2|ib\n"
                            "n2|fast|idle|8|64000|(null)|(null)\n";
  CHECK(parse_nodes(lines, true).size() == 1);
  const auto nodes = parse_nodes(lines, false);
  REQUIRE(nodes.size() == 2);
  CHECK(nodes[0].features == "ib");
  CHECK(nodes[0].cpus == 8);
  CHECK(nodes[0].memory_mb == 64000);
  CHECK(nodes[1].features.empty());
  CHECK_THROWS_AS(parse_nodes("n1|main*|idle|8|64000|gpu:2\n", true), Error);
  CHECK_THROWS_AS(parse_nodes("n1|main*|idle|few|64000|gpu:2|ib\n", true), Error);
  CHECK_THROWS_AS(parse_nodes("n1|main*|idle|8|much|gpu:2|ib\n", true), Error);
}

TEST_CASE("a line without a node is of a partition that has none") {
  CHECK(parse_nodes("|empty|n/a|0|0|(null)|(null)\n", false).empty());
}

TEST_CASE("a node takes jobs unless it is down, drained, in maintenance, or does not answer") {
  const auto node = [](const std::string& state) {
    return SlurmNode{"n1", state, "", {}, 8, 64000};
  };
  for (const char* state :
       {"idle", "mixed", "allocated", "completing", "idle~", "idle#", "allocated+", "mixed-",
        "mixed@", "idle^", "reboot_issued", "powering_up", "powered_down", "idle!", "idle%"}) {
    INFO(state);
    CHECK(takes_jobs(node(state), false));
  }
  for (const char* state :
       {"down", "drained", "draining", "idle*", "maint", "fail", "unknown", "allocated*", "alloc*",
        "idle$", "mixed$", "drained@", "down^", "*", "", "idle~*", "future", "inval"}) {
    INFO(state);
    CHECK_FALSE(takes_jobs(node(state), false));
  }
  CHECK(takes_jobs(node("maint"), true));
  CHECK(takes_jobs(node("idle$"), true));
  CHECK_FALSE(takes_jobs(node("drained$"), true));
  CHECK(state_words(node("idle$")) == "idle$ (in maintenance)");
  CHECK(state_words(node("drained")) == "drained");
}

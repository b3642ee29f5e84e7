#include "sdbench/bench/earlier_rows.h"

#include "catch.h"
#include "sdbench/executor/executor.h"

using namespace sdbench;

namespace {

RunRecord row(const std::string& run_id, const std::string& status,
              const std::string& cell_id = "c", const std::string& env_id = "e") {
  RunRecord record;
  record.run_id = run_id;
  record.status = status;
  record.cell_id = cell_id;
  record.env_id = env_id;
  record.device_name = "GPU";
  record.engine = kEngine;
  record.engine_revision = kEngineRevision;
  record.host = "host";
  return record;
}

std::string key(const std::string& cell_id) {
  return execution_key(row("", "ok", cell_id));
}

} // namespace

TEST_CASE("cells that differ in seed, prompt or synthetic weights alone are told apart") {
  const auto changed = [](auto change) {
    RunRecord other = row("2", "ok");
    change(other);
    return other;
  };
  for (const RunRecord& other : {changed([](RunRecord& r) { r.seed = 2; }),
                                 changed([](RunRecord& r) { r.prompt_sha256 = "x"; }),
                                 changed([](RunRecord& r) { r.weights = "synthetic:1"; })}) {
    EarlierRows rows({row("1", "crash"), other}, true);
    CHECK_FALSE(rows.take(key("c"), "e", "host")); // the failed one is tried again
    CHECK(rows.take(execution_key(other), "e", "host") == Status::kOk);
  }
}

TEST_CASE("a cell that is to run has the key of its row") {
  RunConfig config;
  config.model = "tiny-sd15";
  config.weights = "synthetic";
  config.seed = 7;
  config.prompts = {"a prompt"};
  const Cell cell = resolve_cell(config, true);
  CHECK(execution_key(cell, {}) == execution_key(build_record(cell, CellOutcome{}, {})));
}

TEST_CASE("each good row stands for one execution of its cell") {
  EarlierRows rows({row("1", "ok"), row("2", "ok"), row("3", "ok", "other")}, false);
  CHECK(rows.take(key("c"), "e", "host") == Status::kOk);
  CHECK(rows.take(key("c"), "e", "host") == Status::kOk);
  CHECK_FALSE(rows.take(key("c"), "e", "host"));
  CHECK_FALSE(rows.take(key("other"), "another env", "host"));
  CHECK(rows.take(key("other"), "e", "host") == Status::kOk);
}

TEST_CASE("a row in two files is one row") {
  EarlierRows rows({row("1", "ok"), row("1", "ok")}, false);
  CHECK(rows.take(key("c"), "e", "host"));
  CHECK_FALSE(rows.take(key("c"), "e", "host"));
}

TEST_CASE("failed cells are done unless they are to be tried again; interrupted ones never are") {
  for (const char* status :
       {"oom_device", "oom_host", "crash", "timeout", "error", "invalid_output", "skipped"}) {
    INFO(status);
    CHECK(EarlierRows({row("1", status)}, false).take(key("c"), "e", "host"));
    CHECK_FALSE(EarlierRows({row("1", status)}, true).take(key("c"), "e", "host"));
  }
  CHECK_FALSE(EarlierRows({row("1", "interrupted")}, false).take(key("c"), "e", "host"));
}

TEST_CASE("a good row counts before a failed one") {
  EarlierRows rows({row("1", "ok"), row("2", "crash")}, false);
  CHECK(rows.take(key("c"), "e", "host") == Status::kOk);
  CHECK(rows.take(key("c"), "e", "host") == Status::kCrash);
}

TEST_CASE("another engine revision is another measurement") {
  RunRecord old = row("1", "ok");
  old.engine_revision = kEngineRevision - 1;
  CHECK_FALSE(EarlierRows({old}, false).take(key("c"), "e", "host"));
}

TEST_CASE("a cell that failed before its device was known is recognised on its host") {
  RunRecord nowhere = row("1", "crash", "c", "env without a device");
  nowhere.device_name.clear();
  CHECK_FALSE(EarlierRows({nowhere}, false).take(key("c"), "e", "other host"));
  CHECK(EarlierRows({nowhere}, false).take(key("c"), "e", "host") == Status::kCrash);
}

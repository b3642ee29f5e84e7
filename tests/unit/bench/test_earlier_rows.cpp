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

} // namespace

TEST_CASE("each good row stands for one execution of its cell") {
  EarlierRows rows({row("1", "ok"), row("2", "ok"), row("3", "ok", "other")}, false);
  CHECK(rows.take("c", "e", "host") == Status::kOk);
  CHECK(rows.take("c", "e", "host") == Status::kOk);
  CHECK_FALSE(rows.take("c", "e", "host"));
  CHECK_FALSE(rows.take("other", "another env", "host"));
  CHECK(rows.take("other", "e", "host") == Status::kOk);
}

TEST_CASE("a row in two files is one row") {
  EarlierRows rows({row("1", "ok"), row("1", "ok")}, false);
  CHECK(rows.take("c", "e", "host"));
  CHECK_FALSE(rows.take("c", "e", "host"));
}

TEST_CASE("failed cells are done unless they are to be tried again; interrupted ones never are") {
  for (const char* status :
       {"oom_device", "oom_host", "crash", "timeout", "error", "invalid_output", "skipped"}) {
    INFO(status);
    CHECK(EarlierRows({row("1", status)}, false).take("c", "e", "host"));
    CHECK_FALSE(EarlierRows({row("1", status)}, true).take("c", "e", "host"));
  }
  CHECK_FALSE(EarlierRows({row("1", "interrupted")}, false).take("c", "e", "host"));
}

TEST_CASE("a good row counts before a failed one") {
  EarlierRows rows({row("1", "ok"), row("2", "crash")}, false);
  CHECK(rows.take("c", "e", "host") == Status::kOk);
  CHECK(rows.take("c", "e", "host") == Status::kCrash);
}

TEST_CASE("another engine revision is another measurement") {
  RunRecord old = row("1", "ok");
  old.engine_revision = kEngineRevision - 1;
  CHECK_FALSE(EarlierRows({old}, false).take("c", "e", "host"));
}

TEST_CASE("a cell that failed before its device was known is recognised on its host") {
  RunRecord nowhere = row("1", "crash", "c", "env without a device");
  nowhere.device_name.clear();
  CHECK_FALSE(EarlierRows({nowhere}, false).take("c", "e", "other host"));
  CHECK(EarlierRows({nowhere}, false).take("c", "e", "host") == Status::kCrash);
}

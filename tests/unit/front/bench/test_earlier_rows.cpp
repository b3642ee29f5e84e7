#include "sdbench/front/bench/earlier_rows.h"

#include "sdbench/base/types/own_engines.h"

#include <string>
#include <vector>

#include "catch.h"
#include "cifar_files.h"
#include "scratch_folder.h"
#include "sdbench/base/config/option_layers.h"
#include "sdbench/base/config/run_config.h"
#include "sdbench/base/dataset/dataset.h"
#include "sdbench/base/dataset/locate_data.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/weights/checkpoint.h"
#include "sdbench/base/weights/locate.h"
#include "tiny_checkpoint.h"

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
  record.engine = kTunedEngine;
  record.engine_revision = engine_revision(kTunedEngine);
  record.host = "host";
  return record;
}

ExecutionKey key(const std::string& cell_id) {
  return execution_key(row("", "ok", cell_id));
}

std::vector<SweepCell> searched_cells(const Json& values) {
  Json all = {{"model", "tiny-sd15"}, {"weights", "synthetic"}};
  all.update(values);
  OptionLayers layers;
  layers.add(all, "--");
  return resolve_sweep(layers.cells());
}

RunRecord row_of_batch(Cell cell, std::int64_t batch, const RecordContext& context) {
  cell.batch = cell.images = batch;
  return build_record(cell, CellOutcome{}, context);
}

} // namespace

TEST_CASE("a study of a cell's quality does not stand for its benchmark") {
  RunRecord study = row("1", "ok");
  study.quality_reference = "fp32";
  EarlierRows rows(std::vector{study}, false);
  CHECK_FALSE(rows.take(key("c"), "e", "host"));
}

TEST_CASE("cells that differ in seed, prompt or synthetic weights alone are told apart") {
  const auto changed = [](auto change) {
    RunRecord other = row("2", "ok");
    change(other);
    return other;
  };
  for (const RunRecord& other : {changed([](RunRecord& r) { r.seed = 2; }),
                                 changed([](RunRecord& r) { r.prompt_sha256 = "x"; }),
                                 changed([](RunRecord& r) { r.weights = "synthetic:1"; })}) {
    EarlierRows rows(std::vector{row("1", "crash"), other}, true);
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
  const RunRecord of_cell = build_record(cell, CellOutcome{}, {});
  CHECK(work_key(cell, {}) == work_key(of_cell));
  CHECK(execution_key(cell, {}).weights == of_cell.weights);
}

TEST_CASE("checkpoints are told apart by their files, and before they were read by their names") {
  const test::ScratchFolder folder;
  const auto cell_of = [&](const std::string& name) {
    RunConfig config;
    config.model = "tiny-sd15";
    config.weights = "synthetic";
    Cell cell = resolve_cell(config, true);
    cell.weights = {WeightsLocation::Kind::kSingleFile,
                    test::write_tensor(folder.path() / name, name),
                    0,
                    false,
                    name,
                    ""};
    return cell;
  };
  const Cell one = cell_of("one.safetensors");
  const Cell other = cell_of("other.safetensors");
  const auto row_of = [](const Cell& cell, const char* run_id, Status status) {
    CellOutcome outcome;
    outcome.status = status;
    outcome.device.emplace().name = "GPU";
    if (status == Status::kOk) {
      outcome.result.emplace().weights_identity = weights_identity(cell.weights.path);
      outcome.result->engine = kTunedEngine;
      outcome.result->engine_revision = engine_revision(kTunedEngine);
    }
    RunRecord record = build_record(cell, outcome, {});
    record.run_id = run_id;
    record.env_id = "e";
    return record;
  };
  REQUIRE(row_of(one, "1", Status::kOk).cell_id == row_of(other, "2", Status::kOk).cell_id);
  EarlierRows rows(std::vector{row_of(one, "1", Status::kOk), row_of(other, "2", Status::kCrash)},
                   false);
  CHECK(rows.take(execution_key(other, {}), "e", "") == Status::kCrash); // ended before loading
  CHECK_FALSE(rows.take(execution_key(other, {}), "e", ""));
  CHECK(rows.take(execution_key(one, {}), "e", "") == Status::kOk);
}

TEST_CASE("a checkpoint that cannot be read is known by its name") {
  RunConfig config;
  config.model = "tiny-sd15";
  config.weights = "synthetic";
  Cell cell = resolve_cell(config, true);
  cell.weights = {
      WeightsLocation::Kind::kFolder, "/no/such/folder", 0, false, "the words for it", {}};
  CHECK(execution_key(cell, {}).weights == "the words for it");
}

TEST_CASE("epochs over other images of a folder are another execution, wherever the images lie") {
  const test::ScratchFolder folder;
  const auto cell_of = [&](const char* data, int label) {
    test::write_binary_batches(folder, data);
    folder.write(std::string(data) + "/data_batch_1.bin", test::binary_row(label, 0));
    RunConfig config;
    config.model = "tiny-cnn";
    config.weights = "synthetic";
    config.task = "train";
    config.epochs = 1;
    config.data = (folder.path() / data).string();
    return resolve_cell(config, true);
  };
  const Cell one = cell_of("one", 0);
  const Cell copy = cell_of("copy", 0);
  const Cell other = cell_of("other", 2);
  const auto row_of = [](const Cell& cell, const char* run_id, bool was_read) {
    CellOutcome outcome;
    outcome.status = was_read ? Status::kOk : Status::kCrash;
    outcome.device.emplace().name = "GPU";
    CellResult& result = outcome.result.emplace();
    result.engine = kTunedEngine;
    result.engine_revision = engine_revision(kTunedEngine);
    result.data_identity = was_read ? identity_of(load_dataset(cell.data)) : "";
    RunRecord record = build_record(cell, outcome, {});
    record.run_id = run_id;
    record.env_id = "e";
    return record;
  };
  const RunRecord done = row_of(one, "1", true);
  REQUIRE(done.cell_id == row_of(other, "2", true).cell_id);
  EarlierRows rows(std::vector{done, row_of(other, "2", false)}, false);
  CHECK(rows.take(execution_key(other, {}), "e", "") == Status::kCrash); // ended before reading
  CHECK_FALSE(rows.take(execution_key(other, {}), "e", ""));
  CHECK(rows.take(execution_key(copy, {}), "e", "") == Status::kOk);
  CHECK(has_inputs_of(done, execution_key(copy, {})));
  CHECK_FALSE(has_inputs_of(done, execution_key(other, {})));
}

TEST_CASE("epochs over made-up images are known by their number alone, whatever their digest") {
  RunRecord made_up = row("1", "ok");
  made_up.data = "synthetic:20";
  made_up.data_identity = "synthetic:20:0123456789abcdef";
  EarlierRows rows(std::vector{made_up}, false);
  CHECK(rows.take(key("c"), "e", "host") == Status::kOk);
}

TEST_CASE("each good row stands for one execution of its cell") {
  EarlierRows rows(std::vector{row("1", "ok"), row("2", "ok"), row("3", "ok", "other")}, false);
  CHECK(rows.take(key("c"), "e", "host") == Status::kOk);
  CHECK(rows.take(key("c"), "e", "host") == Status::kOk);
  CHECK_FALSE(rows.take(key("c"), "e", "host"));
  CHECK_FALSE(rows.take(key("other"), "another env", "host"));
  CHECK(rows.take(key("other"), "e", "host") == Status::kOk);
}

TEST_CASE("a row in two files is one row") {
  EarlierRows rows(std::vector{row("1", "ok"), row("1", "ok")}, false);
  CHECK(rows.take(key("c"), "e", "host"));
  CHECK_FALSE(rows.take(key("c"), "e", "host"));
}

TEST_CASE("failed cells are done unless they are to be tried again; interrupted ones never are") {
  for (const char* status :
       {"oom_device", "oom_host", "crash", "timeout", "error", "invalid_output", "skipped"}) {
    INFO(status);
    CHECK(EarlierRows(std::vector{row("1", status)}, false).take(key("c"), "e", "host"));
    CHECK_FALSE(EarlierRows(std::vector{row("1", status)}, true).take(key("c"), "e", "host"));
  }
  CHECK_FALSE(EarlierRows(std::vector{row("1", "interrupted")}, false).take(key("c"), "e", "host"));
}

TEST_CASE("a row while which the machine was suspended is in no verdict, and not done") {
  RunRecord slept = row("1", "ok");
  slept.flags = "noisy suspended";
  CHECK_FALSE(EarlierRows(std::vector{slept}, false).take(key("c"), "e", "host"));
  slept.flags = "noisy";
  CHECK(EarlierRows(std::vector{slept}, false).take(key("c"), "e", "host") == Status::kOk);
}

TEST_CASE("a good row with an Xid or a lost GPU is not done, but a failure with it is") {
  for (const char* flag : {"xid", "gpu_lost"}) {
    RunRecord hit = row("1", "ok");
    hit.flags = flag;
    CHECK_FALSE(EarlierRows(std::vector{hit}, false).take(key("c"), "e", "host"));
    hit.status = "error"; // the cell itself may be what causes it
    CHECK(EarlierRows(std::vector{hit}, false).take(key("c"), "e", "host") == Status::kError);
  }
}

TEST_CASE("what failed in a job of Slurm is tried again by another, not by its next start") {
  RunRecord failed = row("1", "crash");
  failed.slurm_job = "7";
  CHECK_FALSE(EarlierRows(std::vector{failed}, true).take(key("c"), "e", "host"));
  CHECK_FALSE(EarlierRows(std::vector{failed}, true, "8").take(key("c"), "e", "host"));
  CHECK(EarlierRows(std::vector{failed}, true, "7").take(key("c"), "e", "host") == Status::kCrash);
  failed.status = "interrupted";
  CHECK_FALSE(EarlierRows(std::vector{failed}, true, "7").take(key("c"), "e", "host"));
}

TEST_CASE("a good row counts before a failed one") {
  EarlierRows rows(std::vector{row("1", "ok"), row("2", "crash")}, false);
  CHECK(rows.take(key("c"), "e", "host") == Status::kOk);
  CHECK(rows.take(key("c"), "e", "host") == Status::kCrash);
}

TEST_CASE("another engine revision is another measurement") {
  RunRecord old = row("1", "ok");
  old.engine_revision = engine_revision(kTunedEngine) - 1;
  CHECK_FALSE(EarlierRows(std::vector{old}, false).take(key("c"), "e", "host"));
}

TEST_CASE("a cell that failed before its device was known is recognised on its host") {
  RunRecord nowhere = row("1", "crash", "c", "env without a device");
  nowhere.device_name.clear();
  CHECK_FALSE(EarlierRows(std::vector{nowhere}, false).take(key("c"), "e", "other host"));
  CHECK(EarlierRows(std::vector{nowhere}, false).take(key("c"), "e", "host") == Status::kCrash);
}

TEST_CASE("the points of a search are found among all rows of the outputs") {
  RecordContext context;
  context.host = "here";
  RecordContext elsewhere;
  elsewhere.host = "there";
  const auto searched = searched_cells({{"batch", "auto"}});
  const auto others = searched_cells({{"guidance", 1}});
  const Cell& cell = searched.at(0).planned.cell;
  RunRecord old = row_of_batch(cell, 2, context);
  old.engine_revision = 0;
  RunRecord many = row_of_batch(cell, 2, context);
  many.seed += 1;
  const std::vector<RunRecord> rows = {row_of_batch(cell, 1, context),
                                       row_of_batch(cell, 24, context),
                                       row_of_batch(others.at(0).planned.cell, 1, context),
                                       row_of_batch(cell, 1, elsewhere),
                                       old,
                                       many};
  const auto found = searched_rows(searched, rows, context);
  REQUIRE(found.size() == 2);
  CHECK(found[0].batch == 1);
  CHECK(found[1].batch == 24);
  CHECK(searched_rows(others, rows, context).empty()); // searches nothing
}

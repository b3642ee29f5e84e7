#include "sdbench/front/results/merge.h"

#include "catch.h"
#include "sample_record.h"
#include "scratch_folder.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/front/database/record_database.h"
#include "sdbench/front/record/flags.h"
#include "sdbench/front/record/raw_times.h"
#include "sdbench/front/record/record_csv.h"
#include "sdbench/front/record/record_json.h"
#include "sdbench/front/results/redact.h"
#include "sdbench/front/results/result_reader.h"

using namespace sdbench;

namespace {

void redact(RunRecord& record, const std::vector<Redaction>& redactions) {
  Redactor redactor(redactions);
  redactor.meet(record);
  redactor.redact(record);
}

RunRecord run_named(const std::string& run_id) {
  RunRecord record = test::full_record();
  record.run_id = run_id;
  return record;
}

} // namespace

TEST_CASE("each run is once in a merger, from whichever file has its raw times") {
  const test::ScratchFolder folder;
  const auto csv = folder.write("a.csv", csv_header() + to_csv_row(run_named("one")) +
                                             to_csv_row(run_named("two")));
  const auto lines = folder.write("b.jsonl", to_json_line(run_named("two")));
  const RunRecord rows[] = {run_named("one"), run_named("three")};
  const auto database = folder.write("c.db", database_document(rows));
  for (const auto& files : {std::vector{csv, lines, database}, {database, lines, csv}}) {
    const Merged merged = merge_record_files(files);
    CHECK(merged.bad.empty());
    CHECK(merged.duplicates == 2);
    REQUIRE(merged.records.size() == 3);
    for (const RunRecord& record : merged.records) {
      CHECK(to_json_line(record) == to_json_line(run_named(record.run_id)));
    }
  }
}

TEST_CASE("of a row and its edited copy the whole one stays, in whatever order they are read") {
  RunRecord edited = run_named("one");
  edited.images_per_min = 1e6;
  edited.flags = kContradicts;
  const test::ScratchFolder folder;
  const auto whole = folder.write("whole.csv", csv_header() + to_csv_row(run_named("one")));
  const auto copy = folder.write("copy.jsonl", to_json_line(edited));
  for (const auto& files : {std::vector{whole, copy}, {copy, whole}}) {
    const Merged merged = merge_record_files(files);
    REQUIRE(merged.records.size() == 1);
    CHECK(merged.duplicates == 1);
    CHECK(to_csv_row(merged.records[0]) == to_csv_row(run_named("one")));
    const Results results = read_results(files, {.raw_times = true});
    REQUIRE(results.table.size() == 1);
    CHECK(results.table.number(0, field_index("images_per_min")) ==
          run_named("one").images_per_min);
    CHECK(results.raw.empty()); // raw times belonged to the edited row
  }
}

TEST_CASE("a row of an earlier version is left out and named, and the others are merged") {
  RunRecord earlier = run_named("earlier");
  earlier.schema_version = kOldestSchemaVersion - 1;
  const test::ScratchFolder folder;
  const Merged merged = merge_record_files(
      {folder.write("r.jsonl", to_json_line(earlier) + to_json_line(run_named("one")))});
  REQUIRE(merged.records.size() == 1);
  CHECK(merged.records[0].run_id == "one");
  REQUIRE(merged.bad.size() == 1);
  CHECK(merged.bad[0].column == "schema_version");
}

TEST_CASE("what is redacted is empty, and all else stays") {
  RunRecord record = run_named("one");
  record.weights = "/home/ann/sd15";
  redact(record, redactions_named("host,uuid,argv"));
  RunRecord expected = run_named("one");
  for (auto* text :
       {&expected.slurm_node, &expected.slurm_partition, &expected.device_pci_address,
        &expected.cuda_visible_devices, &expected.label, &expected.note, &expected.data,
        &expected.weights, &expected.weights_ignored, &expected.error, &expected.stderr_tail,
        &expected.graphs_obstacle, &expected.kernels_obstacle}) {
    text->clear();
  }
  CHECK(record.host.starts_with("machine "));
  CHECK(record.device_uuid.starts_with("#"));
  CHECK(record.tags.starts_with("tags="));
  expected.tags = record.tags;
  CHECK(record.env_id != expected.env_id); // a hash of the host's name
  expected.host = record.host;
  expected.device_uuid = record.device_uuid;
  expected.env_id = record.env_id;
  CHECK(to_json_line(record) == to_json_line(expected));
  record.weights = "blob:0123";
  redact(record, redactions_named("argv"));
  CHECK(record.weights == "blob:0123"); // tells which weights, not where they are
}

TEST_CASE("what is redacted is blotted out of texts, too, where it stands as a word") {
  RunRecord record = run_named("one");
  record.host = "desk";
  record.device_uuid = "GPU-12-ab";
  record.label = "desk, desktop";
  record.error = "load: cannot open /net/desk/sd15.safetensors";
  record.stderr_tail = "GPU-12-ab fell off desk";
  record.gpu_processes = "12 (desk), 13 (mydesk)";
  record.weights = "/net/desk/sd15";
  redact(record, redactions_named("host"));
  CHECK(record.weights == "/net/[redacted]/sd15");
  CHECK(record.host.starts_with("machine "));
  CHECK(record.label == "[redacted], desktop");
  CHECK(record.error == "load: cannot open /net/[redacted]/sd15.safetensors");
  CHECK(record.stderr_tail == "GPU-12-ab fell off [redacted]");
  CHECK(record.gpu_processes == "12 ([redacted]), 13 (mydesk)");
  redact(record, redactions_named("uuid"));
  CHECK(record.stderr_tail == "[redacted] fell off [redacted]");
}

TEST_CASE("the names of other programs go with the processes") {
  RunRecord record = run_named("one");
  record.host = "desk";
  record.gpu_processes = "12 (python3)";
  record.busy_programs = "cc1plus 184 %, desk 7 %";
  redact(record, redactions_named("host"));
  CHECK(record.busy_programs == "cc1plus 184 %, [redacted] 7 %");
  redact(record, redactions_named("processes"));
  CHECK(record.busy_programs.empty());
  CHECK(record.gpu_processes.empty());
}

TEST_CASE("a row that has another run's id, but tells something else, does not take its place") {
  const test::ScratchFolder folder;
  RunRecord other = run_named("one");
  other.status = "timeout";
  const Merged merged =
      merge_record_files({folder.write("a.csv", csv_header() + to_csv_row(run_named("one"))),
                          folder.write("b.jsonl", to_json_line(other))});
  REQUIRE(merged.records.size() == 1);
  CHECK(merged.records[0].status == "ok");
  CHECK(merged.duplicates == 0);
  REQUIRE(merged.bad.size() == 1);
  CHECK(merged.bad[0].column == "run_id");
}

TEST_CASE("an unknown name to redact is refused with the near one") {
  CHECK_THROWS_WITH(redactions_named("host,uid"), Catch::Matchers::ContainsSubstring("uuid"));
  CHECK_THROWS_AS(redactions_named(""), UsageError);
}

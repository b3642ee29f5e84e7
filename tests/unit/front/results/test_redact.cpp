#include "sdbench/front/results/redact.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "catch.h"
#include "sample_record.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/ids.h"
#include "sdbench/front/record/record_csv.h"
#include "sdbench/front/results/shared_fields.h"

using namespace sdbench;

namespace {

RunRecord run_on(const std::string& host, const std::string& run_id, const std::string& time) {
  RunRecord record = test::full_record();
  record.host = host;
  record.env_id = "env of " + host;
  record.device_uuid = "GPU-" + host;
  record.run_id = run_id;
  record.time_utc = time;
  return record;
}

std::vector<RunRecord> redacted(std::vector<RunRecord> records) {
  Redactor redactor(all_redactions());
  for (const RunRecord& record : records) {
    redactor.meet(record);
  }
  for (RunRecord& record : records) {
    redactor.redact(record);
  }
  return records;
}

} // namespace

TEST_CASE("each text of the record is on the list of what may be shared, or has a redaction") {
  std::string undecided; // private texts without a redaction; a new field needs one
  for (const FieldName field : private_fields()) {
    try {
      (void)redactions_named(std::string(field.text()));
    } catch (const std::exception&) {
      undecided += std::string(field.text()) + " ";
    }
  }
  CHECK(undecided.empty());
  for (const FieldName field : {FieldName("host"), FieldName("prompt_sha256"),
                                FieldName("slurm_job"), FieldName("label"), FieldName("error")}) {
    CHECK_FALSE(may_be_shared(field));
  }
}

TEST_CASE("what may be shared holds nothing that is private, wherever it stood") {
  RunRecord record = run_on("desk", "one", "2026");
  record.weights = "/home/ann/sd15.safetensors";
  record.data = "/home/ann/my pictures";
  record.model = "/home/ann/sd15/";
  record.cuda_config = "CUDA_MODULE_LOADING=LAZY CUDNN_ERRATA_JSON_FILE=/home/ann/errata.json";
  record.openmp_config = "GOMP_CPU_AFFINITY=desk";
  const RunRecord shared = redacted({record}).front();
  const std::string row = to_csv_row(shared);
  for (const char* told : {"ann", "desk", "the slurm", "the prompt", "the error"}) {
    CHECK(row.find(told) == std::string::npos);
  }
  CHECK(shared.model == "sd15");
  CHECK(shared.cuda_config == "CUDA_MODULE_LOADING=LAZY CUDNN_ERRATA_JSON_FILE=[redacted]");
  CHECK(shared.unet_it_s == record.unet_it_s);
  CHECK(shared.variant_id == record.variant_id);
}

TEST_CASE("raw times that are shared name the parts and stages that there are, and no others") {
  RunRecord row;
  row.task = "generate";
  row.samples = {{.parts = {{"unet", 2}, {"annes_part", 1}}, .e2e_s = 3, .step_s = {2}}};
  row.first_image = row.samples.front();
  row.partial_run = PartialRun{.stage = "annes stage", .step_s = {1}};
  RunRecord shared = row;
  Redactor(all_redactions()).redact(shared);
  REQUIRE(shared.samples.front().parts.size() == 1);
  CHECK(shared.samples.front().parts.front().name == "unet");
  CHECK(shared.first_image->parts.size() == 1);
  CHECK(shared.partial_run->stage.empty());
  CHECK(shared.partial_run->step_s.size() == 1);
  row.partial_run->stage = "measure";
  Redactor(all_redactions()).redact(row);
  CHECK(row.partial_run->stage == "measure");
}

TEST_CASE("made-up names and ids tell hosts apart, and do not depend on their names") {
  const auto shared = redacted({run_on("desk", "b", "2"), run_on("lap", "c", "3"),
                                run_on("desk", "a", "1"), run_on("desk", "d", "4")});
  CHECK(shared[0].host == shared[2].host);
  CHECK(shared[0].env_id == shared[3].env_id);
  CHECK(shared[0].host != shared[1].host);
  CHECK(shared[0].env_id != shared[1].env_id);
  CHECK(shared[0].device_uuid != shared[1].device_uuid);
  const auto others = redacted({run_on("moon", "b", "2"), run_on("sun", "c", "3"),
                                run_on("moon", "a", "1"), run_on("moon", "d", "4")});
  const auto again = redacted(shared);
  for (std::size_t i = 0; i < shared.size(); ++i) {
    CHECK(to_csv_row(others[i]) == to_csv_row(shared[i]));
    CHECK(to_csv_row(again[i]) == to_csv_row(shared[i]));
  }
}

TEST_CASE("a table's rows are redacted as records are, and its files lose their names") {
  ResultTable table;
  (void)table.add_file("/home/ann/desk.csv");
  const std::vector<RunRecord> records = {run_on("desk", "b", "2"), run_on("lap", "c", "3")};
  for (const RunRecord& record : records) {
    table.add(record);
  }
  Redactor(all_redactions()).redact(table);
  const auto expected = redacted(records);
  for (std::size_t row = 0; row < records.size(); ++row) {
    for (std::size_t place = 0; place < record_fields().size(); ++place) {
      if (type_name(record_fields()[place]) == "text") {
        CHECK(table.value_text(row, place) == field_text(expected[row], record_fields()[place]));
      }
    }
  }
  CHECK(table.files().front() == "file 1");
}

TEST_CASE("a host that goes is blotted out of every text that others word, whichever keeps it") {
  for (const FieldName field : fields_in_others_words()) {
    if (field == FieldName("host") || field.text().starts_with("device_")) {
      continue; // they get made-up names
    }
    for (const bool is_all : {true, false}) {
      RunRecord record = run_on("desk", "one", "2026");
      set_field_text(record, field_named(field), "on desk/x of desk, not desktop");
      Redactor redactor(is_all ? all_redactions() : redactions_named("host"));
      redactor.meet(record);
      redactor.redact(record);
      const std::string text = field_text(record, field_named(field));
      CAPTURE(field.text(), text);
      CHECK(text.find("desk/") == std::string::npos);
      CHECK(text.find("desk,") == std::string::npos);
    }
  }
  for (const FieldName field : {FieldName("container"), FieldName("governor"), FieldName("os"),
                                FieldName("power_supply"), FieldName("model")}) {
    RunRecord record = run_on("desk", "one", "2026");
    set_field_text(record, field_named(field), "of desk.home");
    CHECK(field_text(redacted({record}).front(), field_named(field)) == "of [redacted].home");
  }
}

TEST_CASE("a host that is called as a card, an outcome or a model of ours takes none of them out") {
  RunRecord record = run_on("H100", "one", "2026");
  record.device_name = "NVIDIA H100 PCIe";
  record.os = "Debian";
  CHECK(redacted({record}).front().device_name == "NVIDIA H100 PCIe");
  record.host = "ok";
  CHECK(redacted({record}).front().status == "ok");
  record.host = "sd15";
  record.model = "sd15";
  CHECK(redacted({record}).front().model == "sd15");
}

TEST_CASE("a model's path that loses the host's name has an id of what is left") {
  RunRecord record = run_on("desk", "one", "2026");
  record.model = "/home/desk/sd15";
  record.workload_id = workload_id_of(record);
  Redactor redactor(redactions_named("host"));
  redactor.meet(record);
  redactor.redact(record);
  CHECK(record.model == "/home/[redacted]/sd15");
  CHECK(record.workload_id == workload_id_of(record));
}

TEST_CASE("what goes by another name than the host's leaves the host") {
  RunRecord record = run_on("desk", "one", "2026");
  record.slurm_node = "desk";
  Redactor redactor(redactions_named("slurm"));
  redactor.meet(record);
  redactor.redact(record);
  CHECK(record.host == "desk");
  CHECK(record.slurm_node.empty());
}

// configs/record.schema.json, docs/record.md and the sample files repeat the table of fields for
// readers outside the program. These tests hold them to it. SDBENCH_UPDATE=1 in the environment
// rewrites the schema.

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "catch.h"
#include "sample_record.h"
#include "sdbench/core/json_io.h"
#include "sdbench/core/status.h"
#include "sdbench/record/record_csv.h"
#include "sdbench/record/record_fields.h"
#include "sdbench/record/record_json.h"
#include "sdbench/record/run_record.h"

using namespace sdbench;
using nlohmann::ordered_json;

namespace {

const std::filesystem::path kSource = SDBENCH_SOURCE_DIR;

bool update_wanted() {
  return std::getenv("SDBENCH_UPDATE") != nullptr;
}

ordered_json field_schema(const RecordField& field) {
  const std::string type = type_name(field) == "text" ? "string" : std::string(type_name(field));
  ordered_json schema;
  schema["type"] = is_optional(field) ? ordered_json{type, "null"} : ordered_json(type);
  schema["description"] = field.description;
  if (!field.unit.empty()) {
    schema["x-unit"] = field.unit;
  }
  if (field.name == "status") {
    for (const Status status :
         {Status::kOk, Status::kOomDevice, Status::kOomHost, Status::kCrash, Status::kTimeout,
          Status::kError, Status::kInvalidOutput, Status::kSkipped, Status::kInterrupted}) {
      schema["enum"].push_back(name_of(status));
    }
  }
  return schema;
}

ordered_json record_schema() {
  const ordered_json seconds = {
      {"type", {"number", "null"}}, {"minimum", 0}, {"x-unit", "s"}}; // null: not a number
  ordered_json start = seconds;
  start["description"] = "When the run began, by the host's steady clock; 0: not told.";
  const ordered_json run = {
      {"type", "object"},
      {"description", "Raw times of one run of all its images."},
      {"properties",
       {{"text_s", seconds},
        {"unet_s", seconds},
        {"vae_s", seconds},
        {"e2e_s", seconds},
        {"step_s", {{"type", "array"}, {"items", seconds}}},
        {"start_s", start}}},
      {"required", {"text_s", "unet_s", "vae_s", "e2e_s", "step_s"}},
  };
  ordered_json schema = {
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"title", "sdbench record, schema version " + std::to_string(kSchemaVersion)},
      {"description", "One line of a .jsonl file, or one element of a .json file."},
      {"type", "object"},
      {"properties", ordered_json::object()},
      {"required", ordered_json::array()},
      {"$defs", {{"run", run}}},
  };
  for (const RecordField& field : record_fields()) {
    schema["properties"][std::string(field.name)] = field_schema(field);
    schema["required"].push_back(field.name);
  }
  schema["properties"]["first_image"] = {
      {"anyOf", {{{"$ref", "#/$defs/run"}}, {{"type", "null"}}}}};
  schema["properties"]["samples"] = {{"type", "array"}, {"items", {{"$ref", "#/$defs/run"}}}};
  schema["required"].push_back("first_image");
  schema["required"].push_back("samples");
  schema["properties"]["partial_run"] = {
      {"description", "The steps of a run that a stop ended: in no figure beside whole runs."},
      {"type", {"object", "null"}},
      {"properties",
       {{"stage", {{"type", "string"}}}, {"step_s", {{"type", "array"}, {"items", seconds}}}}},
      {"required", {"stage", "step_s"}}};
  schema["required"].push_back("partial_run");
  return schema;
}

std::string document_row(const RecordField& field) {
  return "| `" + std::string(field.name) + "` | " + std::string(field.unit) + " | " +
         std::string(field.description) + " |";
}

} // namespace

TEST_CASE("the JSON Schema file is the one that the table of fields gives") {
  const auto path = kSource / "configs/record.schema.json";
  const std::string expected = record_schema().dump(2) + "\n";
  if (update_wanted()) {
    write_file_atomically(path, expected);
  }
  CHECK(read_text_file(path) == expected);
}

TEST_CASE("docs/record.md has every field with its unit and meaning, in order") {
  const std::string page = read_text_file(kSource / "docs/record.md");
  std::size_t position = 0;
  for (const RecordField& field : record_fields()) {
    const std::string row = document_row(field);
    INFO("docs/record.md must have the row: " << row);
    const std::size_t found = page.find(row, position);
    CHECK(found != std::string::npos);
    position = found == std::string::npos ? position : found;
  }
}

TEST_CASE("the sample files of version 1 are still read") {
  const auto folder = kSource / "tests/data";
  const auto json = records_from_json(read_text_file(folder / "record-v1.json"), "record-v1.json");
  const auto csv = records_from_csv(read_text_file(folder / "record-v1.csv"), "record-v1.csv");
  REQUIRE(json.size() == 2);
  REQUIRE(csv.size() == 2);
  for (const RecordField& field : record_fields()) {
    INFO(field.name);
    CHECK(field_text(json[0], field) == field_text(csv[0], field));
    CHECK(field_text(json[1], field) == field_text(csv[1], field));
  }
  CHECK(json[0].schema_version == 1);
  CHECK(json[0].note == test::full_record().note);
  CHECK(json[0].label == test::full_record().label);
  CHECK(json[0].step_s_mean == 1.0 / 3);
  CHECK(json[0].seed == 18446744073709551615U);
  CHECK(json[0].samples.size() == 2);
  CHECK_FALSE(json[0].step_s_min); // a field of version 2
  CHECK(csv[1].status == "crash");
}

// Made by this version; once a later one is current they stay as they are and are read like version
// 1's.
TEST_CASE("the sample files of version 2 hold every field") {
  const auto folder = kSource / "tests/data";
  const std::vector<RunRecord> records = {test::full_record(), test::failed_record()};
  if (update_wanted()) {
    write_file_atomically(folder / "record-v2.json", to_json_document(records));
    write_file_atomically(folder / "record-v2.csv",
                          csv_header() + to_csv_row(records[0]) + to_csv_row(records[1]));
  }
  const auto json = records_from_json(read_text_file(folder / "record-v2.json"), "record-v2.json");
  const auto csv = records_from_csv(read_text_file(folder / "record-v2.csv"), "record-v2.csv");
  REQUIRE(json.size() == 2);
  REQUIRE(csv.size() == 2);
  for (const RecordField& field : record_fields()) {
    INFO(field.name);
    CHECK(field_text(json[0], field) == field_text(records[0], field));
    CHECK(field_text(csv[0], field) == field_text(records[0], field));
    CHECK(field_text(csv[1], field) == field_text(records[1], field));
  }
  CHECK(json[0].samples.size() == records[0].samples.size());
}

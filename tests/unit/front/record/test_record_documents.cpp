// configs/record.schema.json, docs/record.md and the sample files repeat the table of fields for
// readers outside the program. These tests check that they agree with it. SDBENCH_UPDATE=1 in the
// environment rewrites them.

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "sample_record.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/types/status.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/record_csv.h"
#include "sdbench/front/record/record_field.h"
#include "sdbench/front/record/record_json.h"
#include "sdbench/front/record/run_record.h"

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
  start["description"] = "When the run began, by the host's steady clock; 0: unknown.";
  const ordered_json run = {
      {"type", "object"},
      {"description", "Raw times of one run, over all its images."},
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
      {"$id", "urn:sdbench:record:" + std::to_string(kSchemaVersion)},
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
      {"description", "Steps of a run that --max-time or a signal ended; not mixed with whole runs "
                      "in any figure."},
      {"type", {"object", "null"}},
      {"properties",
       {{"stage", {{"type", "string"}}}, {"step_s", {{"type", "array"}, {"items", seconds}}}}},
      {"required", {"stage", "step_s"}}};
  schema["required"].push_back("partial_run");
  return schema;
}

/// The schema as a table: each field on a line of its own.
std::string schema_text() {
  const ordered_json schema = record_schema();
  std::string text;
  for (const auto& [key, value] : schema.items()) {
    std::string content = value.dump();
    if (key == "properties" || key == "$defs") {
      content = "{";
      for (const auto& [name, field] : value.items()) {
        content += (content == "{" ? "" : ",") + ("\n    \"" + name + "\": " + field.dump());
      }
      content += "\n  }";
    }
    text += (text.empty() ? "{\n  \"" : ",\n  \"") + key + "\": " + content;
  }
  return text + "\n}\n";
}

std::string document_row(const RecordField& field) {
  return "| `" + std::string(field.name) + "` | " + std::string(field.unit) + " | " +
         std::string(field.description) + " |";
}

/// The lines of a text, with their line ends.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size() - 1) + 1;
    lines.push_back(text.substr(start, end - start));
    start = end;
  }
  return lines;
}

/// The place of the field of a row "| `name` | …"; nothing for other lines.
std::optional<std::size_t> field_of_row(const std::string& line) {
  constexpr std::string_view kStart = "| `";
  const std::size_t end = line.find('`', kStart.size());
  return line.starts_with(kStart) && end != std::string::npos
             ? find_field(line.substr(kStart.size(), end - kStart.size()))
             : std::nullopt;
}

/// The page, with the rows of its tables made from the table of fields. Each table has the fields
/// from its first row's up to the next table's first, so that a new field follows the one before
/// it.
std::string with_fields(const std::string& page) {
  const std::vector<std::string> lines = lines_of(page);
  const auto is_head = [](const std::string& line) {
    return line.starts_with("| field | unit | meaning |");
  };
  std::vector<std::size_t> firsts; // place of each table's first field
  for (std::size_t i = 0; i + 2 < lines.size(); ++i) {
    if (is_head(lines[i])) {
      firsts.push_back(field_of_row(lines[i + 2]).value());
    }
  }
  firsts.push_back(record_fields().size());
  std::string written;
  std::size_t table = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!is_head(lines[i])) {
      written += lines[i];
      continue;
    }
    written += lines[i] + lines[i + 1]; // the head, and the rule below it
    for (std::size_t field = firsts[table]; field < firsts[table + 1]; ++field) {
      written += document_row(record_fields()[field]) + "\n";
    }
    ++table;
    for (i += 2; i < lines.size() && lines[i].starts_with("| "); ++i) {
    }
    --i;
  }
  return written;
}

/// Names of the members that a struct's header declares, without those of its base.
std::vector<std::string> members_of(const std::string& name, const char* header) {
  std::vector<std::string> names;
  bool is_inside = false;
  for (const std::string& line : lines_of(read_text_file(kSource / "include/sdbench" / header))) {
    is_inside = (is_inside || line.starts_with("struct " + name + " ")) && !line.starts_with("}");
    const std::size_t end = line.find_first_of(";=");
    if (!is_inside || !line.starts_with("  ") || line.starts_with("  //") ||
        end == std::string::npos) {
      continue;
    }
    const std::string declaration = line.substr(0, line.find_last_not_of(' ', end - 1) + 1);
    names.push_back(declaration.substr(declaration.find_last_of(' ') + 1));
  }
  return names;
}

/// Names of the members of RunRecord, except those that are not fields.
std::vector<std::string> declared_members() {
  std::vector<std::string> names = members_of("RunRecord", "front/record/run_record.h");
  const auto measured = members_of("Measured", "base/executor/measured_figure_table.h");
  names.insert(names.end(), measured.begin(), measured.end());
  for (const char* const raw : {"first_image", "samples", "partial_run"}) {
    std::erase(names, raw);
  }
  return names;
}

} // namespace

TEST_CASE("the JSON Schema file is the one that the table of fields gives") {
  const auto path = kSource / "configs/record.schema.json";
  const std::string expected = schema_text();
  if (update_wanted()) {
    write_file_atomically(path, expected);
  }
  CHECK(read_text_file(path) == expected);
}

TEST_CASE("docs/record.md has every field with its unit and meaning, in order") {
  const auto path = kSource / "docs/record.md";
  const std::string page = read_text_file(path);
  const std::string expected = with_fields(page);
  if (update_wanted()) {
    write_file_atomically(path, expected);
  }
  CHECK(read_text_file(path) == expected);
}

TEST_CASE("each member of a record stands in the table of fields, under its own name") {
  std::vector<std::string> names;
  for (const RecordField& field : record_fields()) {
    names.emplace_back(field.name);
  }
  std::vector<std::string> members = declared_members();
  std::ranges::sort(names);
  std::ranges::sort(members);
  CHECK(members == names); // a member without a row is never written
}

// This version makes the files. After the next version of the schema they stay as they are, and are
// only read, like those of versions 1 to 3.
TEST_CASE("the sample files of version 4 are what is written today") {
  const auto folder = kSource / "tests/data";
  const std::vector<RunRecord> records = {test::full_record(), test::failed_record()};
  const std::string json = to_json_document(records);
  const std::string csv = csv_header() + to_csv_row(records[0]) + to_csv_row(records[1]);
  if (update_wanted()) {
    write_file_atomically(folder / "record-v4.json", json);
    write_file_atomically(folder / "record-v4.csv", csv);
  }
  CHECK(read_text_file(folder / "record-v4.json") == json);
  CHECK(read_text_file(folder / "record-v4.csv") == csv);
}

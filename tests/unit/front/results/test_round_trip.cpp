// Any record, any text: what CSV, JSON and JSON lines write, they read back to the last bit.

#include <bit>

#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <variant>

#include "catch.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/record_csv.h"
#include "sdbench/front/record/record_field.h"
#include "sdbench/front/record/record_json.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/results/strict_rows.h"

using namespace sdbench;

namespace {

/// Records with random values of all kinds, many of them awkward.
class RandomRecords {
public:
  RunRecord next() {
    RunRecord record;
    for (const RecordField& field : record_fields()) {
      std::visit([&](auto member) { fill(record.*member); }, field.member);
    }
    record.schema_version = kSchemaVersion;
    record.run_id += "1"; // a row needs this and the following fields
    record.status = "ok";
    record.device_kind = "cuda";
    record.task = "train";
    record.scheduler = "euler";
    record.noise_levels = "training";
    if (chance()) {
      record.first_image = sample();
    }
    for (std::uint64_t count = random_() % 4; count > 0; --count) {
      record.samples.push_back(sample());
    }
    if (chance()) {
      record.partial_run = PartialRun{"measure", sample().step_s};
    }
    return record;
  }

private:
  bool chance() { return random_() % 2 == 0; }

  void fill(std::string& text) {
    using std::string_literals::operator""s;
    const std::string awkward = "\",\n\r\\\t\0x;' \xff\xc3\xa9\xe2"s;
    text.clear();
    for (std::uint64_t count = random_() % 12; count > 0; --count) {
      text += chance() ? awkward[random_() % awkward.size()] : static_cast<char>(random_());
    }
  }
  /// No amount is below zero.
  void fill(std::int64_t& value) { value = static_cast<std::int64_t>(random_() >> 1U); }
  void fill(std::uint64_t& value) { value = random_(); }
  void fill(double& value) {
    do {
      value = std::abs(std::bit_cast<double>(random_())); // subnormals and the largest among them
    } while (!std::isfinite(value));
  }
  template <typename T>
  void fill(std::optional<T>& value) {
    value.reset();
    if (chance()) {
      fill(value.emplace());
    }
  }
  /// Raw times may be NaN.
  void fill_time(double& value) {
    fill(value);
    value = random_() % 8 == 0 ? std::nan("") : value;
  }
  RunSample sample() {
    RunSample sample;
    for (const char* part : {"text", "unet", "vae", "optimizer_2"}) {
      if (random_() % 4 != 0) { // any subset of parts
        sample.parts.push_back({part, 0});
        fill_time(sample.parts.back().seconds);
      }
    }
    fill_time(sample.e2e_s);
    sample.step_s.resize(random_() % 5);
    for (double& step : sample.step_s) {
      fill_time(step);
    }
    return sample;
  }

  std::mt19937_64 random_{2026};
};

void check_fields(const RunRecord& read, const RunRecord& written) {
  for (const RecordField& field : record_fields()) {
    const bool same =
        std::visit([&](auto member) { return read.*member == written.*member; }, field.member);
    INFO(field.name << ": " << field_text(written, field));
    REQUIRE(same);
  }
}

} // namespace

TEST_CASE("random records survive every format") {
  RandomRecords random;
  for (int trial = 0; trial < 300; ++trial) {
    const RunRecord records[] = {random.next(), random.next()};
    const auto csv =
        records_of_text(csv_header() + to_csv_row(records[0]) + to_csv_row(records[1]), "r.csv");
    const auto json = records_of_text(to_json_document(records), "r.json");
    const auto lines =
        records_of_text(to_json_line(records[0]) + to_json_line(records[1]), "r.jsonl");
    for (std::size_t i = 0; i < 2; ++i) {
      check_fields(csv.at(i), records[i]);
      check_fields(json.at(i), records[i]);
      check_fields(lines.at(i), records[i]);
      REQUIRE(to_json_line(json[i]) == to_json_line(records[i])); // includes raw times
      REQUIRE(to_json_line(lines[i]) == to_json_line(records[i]));
    }
  }
}

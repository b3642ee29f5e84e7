#include "sdbench/front/database/record_database.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "samples_table.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/record/record_field.h"

namespace sdbench {
namespace {

/// True for a seed, which is stored as text because SQLite's integers are signed.
bool is_seed(const RecordField& field) {
  return std::holds_alternative<std::uint64_t RunRecord::*>(field.member);
}

const char* sql_type(const RecordField& field) {
  const std::string_view type = type_name(field);
  return type == "text" || is_seed(field) ? "TEXT" : type == "integer" ? "INTEGER" : "REAL";
}

std::string runs_table() {
  const auto column = [](const RecordField& field) {
    return std::string(field.name) + " " + sql_type(field) +
           (field.name == "run_id"                               ? " PRIMARY KEY NOT NULL"
            : is_optional(field) || type_name(field) == "number" ? ""
                                                                 : " NOT NULL");
  };
  return "CREATE TABLE runs (" + joined(mapped(record_fields(), column)) + ")";
}

constexpr const char* kSamplesTable =
    "CREATE TABLE samples (run_id TEXT NOT NULL, part TEXT NOT NULL, run INTEGER NOT NULL, "
    "step INTEGER NOT NULL, seconds REAL, text_s REAL, unet_s REAL, vae_s REAL, start_s REAL, "
    "stage TEXT, PRIMARY KEY (run_id, part, run, step)) WITHOUT ROWID";

/// `columns`: names with commas between, in the order of the parameters.
std::string insertion(const std::string& table, const std::string& columns) {
  std::string parameters = "?";
  for (std::ptrdiff_t i = std::ranges::count(columns, ','); i > 0; --i) {
    parameters += ",?";
  }
  return "INSERT OR IGNORE INTO " + table + " (" + columns + ") VALUES (" + parameters + ")";
}

std::string all_fields() {
  return joined(mapped<std::string>(record_fields(), &RecordField::name), ",");
}

template <typename T>
void bind_value(Statement& statement, int parameter, const T& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    statement.bind_text(parameter, escape_text(value));
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    statement.bind_text(parameter, std::to_string(value));
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    statement.bind_integer(parameter, value);
  } else if constexpr (std::is_same_v<T, double>) {
    statement.bind_number(parameter, value);
  } else if (value) {
    bind_value(statement, parameter, *value);
  } else {
    statement.bind_null(parameter);
  }
}

/// Adds the raw times of runs.
class SampleRows {
public:
  explicit SampleRows(Database& database)
      : statement_(database.prepare(insertion("samples", kSamplesColumns))) {}

  void add(const RunRecord& record) {
    if (record.first_image) {
      add_run(record.run_id, kFirstImage, 1, *record.first_image);
    }
    std::int64_t number = 0;
    for (const RunSample& sample : record.samples) {
      add_run(record.run_id, kTimed, ++number, sample);
    }
    if (record.partial_run) {
      begin(record.run_id, kPartial, 1);
      statement_.bind_text(9, escape_text(record.partial_run->stage));
      put(0, std::numeric_limits<double>::quiet_NaN());
      add_steps(record.partial_run->step_s);
    }
  }

private:
  void begin(const std::string& run_id, const char* part, std::int64_t number) {
    statement_.bind_text(0, escape_text(run_id));
    statement_.bind_text(1, part);
    statement_.bind_integer(2, number);
    clear_whole_run();
  }

  void clear_whole_run() {
    for (const int column : {5, 6, 7, 8, 9}) {
      statement_.bind_null(column);
    }
  }

  void put(std::int64_t step, double seconds) {
    statement_.bind_integer(3, step);
    statement_.bind_number(4, seconds);
    statement_.step();
    statement_.reset();
  }

  void add_run(const std::string& run_id, const char* part, std::int64_t number,
               const RunSample& sample) {
    begin(run_id, part, number);
    int column = kFirstPartColumn;
    for (const std::string_view name : kPartsWithColumn) {
      if (const auto seconds = seconds_of(sample, name)) {
        statement_.bind_number(column, *seconds);
      }
      ++column;
    }
    statement_.bind_number(8, sample.start_s);
    put(0, sample.e2e_s);
    add_steps(sample.step_s);
  }

  void add_steps(const std::vector<double>& steps) {
    clear_whole_run();
    std::int64_t number = 0;
    for (const double seconds : steps) {
      put(++number, seconds);
    }
  }

  Statement statement_;
};

} // namespace

RecordDatabase::RecordDatabase(const std::filesystem::path& file)
    : database_(file, Database::Mode::kWrite) {
  make_tables();
  const std::string columns = columns_of("runs");
  if (columns.starts_with("schema_version,")) {
    Statement oldest = database_.prepare("SELECT min(schema_version) FROM runs");
    oldest.step();
    const std::int64_t version =
        oldest.is_number(0) ? static_cast<std::int64_t>(oldest.number(0)) : kSchemaVersion;
    const std::string obstacle =
        append_obstacle(file.string(), version, kOldestSchemaVersion, kSchemaVersion);
    if (!obstacle.empty()) { // a field may have had a different meaning then
      throw Error(obstacle);
    }
  }
  if (columns != all_fields() || columns_of("samples") != kSamplesColumns) {
    throw Error("cannot append to " + file.string() +
                ": its tables must be those of this sdbench's rows, but are others (written by "
                "another version or program); name another file, and join them with sdbench merge");
  }
}

RecordDatabase::RecordDatabase() {
  make_tables();
}

/// Looks for tables under the lock, because two programs may come at the same time.
void RecordDatabase::make_tables() {
  database_.execute("BEGIN IMMEDIATE");
  if (!database_.prepare("SELECT 1 FROM sqlite_master").step()) {
    database_.execute(runs_table());
    database_.execute(kSamplesTable);
  }
  database_.execute("COMMIT");
}

/// The names of a table's columns in order, with commas between; empty if there is no such table.
std::string RecordDatabase::columns_of(const std::string& table) {
  Statement names = database_.prepare("SELECT name FROM pragma_table_info('" + table + "')");
  std::string columns;
  while (names.step()) {
    columns += (columns.empty() ? "" : ",") + std::string(names.text(0).value_or(""));
  }
  return columns;
}

bool RecordDatabase::has(const std::string& run_id) {
  Statement found = database_.prepare("SELECT 1 FROM runs WHERE run_id = ?");
  found.bind_text(0, escape_text(run_id));
  return found.step();
}

void RecordDatabase::add(std::span<const RunRecord> records) {
  database_.execute("BEGIN IMMEDIATE"); // without a commit, closing rolls back
  Statement row = database_.prepare(insertion("runs", all_fields()));
  SampleRows samples(database_);
  for (const RunRecord& record : records) {
    int parameter = 0;
    for (const RecordField& field : record_fields()) {
      std::visit([&](auto member) { bind_value(row, parameter, record.*member); }, field.member);
      ++parameter;
    }
    row.step();
    row.reset();
    if (database_.changes() > 0) {
      samples.add(record);
    }
  }
  database_.execute("COMMIT");
}

std::string database_document(std::span<const RunRecord> records) {
  RecordDatabase database;
  database.add(records);
  return database.bytes();
}

} // namespace sdbench

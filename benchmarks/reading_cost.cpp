// The cost of reading results: rows of CSV, made from real ones, are read like compare and report
// read them.
//
//   reading_cost [ROWS]      (100,000 rows, into a temporary file)
//   reading_cost FILE        (an existing file)
//
// Each row is one of benchmarks/records with its own numbers, time and run_id, so that no two are
// equal. Prints the file's size, the seconds by the clock and of the processor, and the process's
// peak memory.
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <ios>
#include <random>
#include <string>
#include <vector>

#include <sys/resource.h>

#include "sdbench/base/numbers/number_text.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/record_csv.h"
#include "sdbench/front/record/record_field.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/results/result_reader.h"
#include "sdbench/front/results/strict_rows.h"

namespace {

using namespace sdbench;
namespace fs = std::filesystem;

/// Times and rates vary by some percent; counts and texts repeat, as they do in real files.
RunRecord varied(RunRecord record, std::size_t number, std::mt19937_64& random) {
  std::normal_distribution<double> factor(1, 0.02);
  for (const RecordField& field : record_fields()) {
    const bool is_measured = field.name != "guidance"; // another value would be other work
    if (is_measured && type_name(field) == "number" && !field_text(record, field).empty()) {
      const double value = *parse_number(field_text(record, field));
      set_field_text(record, field, number_text(value * factor(random)));
    }
  }
  record.run_id = std::to_string(1'000'000'000'000'000 + number);
  record.time_utc = "2026-11-22T" + std::to_string(number);
  record.host = "host" + std::to_string(number / 1000);
  return record;
}

void write_rows(const fs::path& file, std::size_t count) {
  std::vector<RunRecord> real;
  for (const char* name :
       {"2026-11-22-sd15-512-bf16-sdbench", "2026-11-22-sdxl-512-bf16-sdbench"}) {
    const fs::path json =
        fs::path(SDBENCH_SOURCE_DIR) / "benchmarks/records" / (std::string(name) + ".json");
    real.push_back(read_records({json}).front());
  }
  std::mt19937_64 random(2026);
  std::ofstream out(file, std::ios::binary);
  out << csv_header();
  for (std::size_t row = 0; row < count; ++row) {
    out << to_csv_row(varied(real[row % real.size()], row, random));
  }
}

double peak_mib() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void measure(const fs::path& file) {
  const double before_mib = peak_mib();
  const std::clock_t before = std::clock();
  const auto start = std::chrono::steady_clock::now();
  const Results results = read_results({file});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::printf("%zu rows, %zu bad, %.0f MB in %.2f s (%.2f s of the processor); at most %.0f MiB of "
              "memory (%.0f before)\n",
              results.table.size(), results.bad.size(),
              static_cast<double>(fs::file_size(file)) / 1e6, took.count(),
              static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC, peak_mib(), before_mib);
}

} // namespace

int main(int argc, char** argv) {
  const std::string argument = argc > 1 ? argv[1] : "100000";
  const auto count = parse_unsigned(argument);
  const fs::path file = count ? fs::temp_directory_path() / "reading_cost.csv" : fs::path(argument);
  if (count) {
    write_rows(file, *count);
  }
  measure(file);
  if (count) {
    fs::remove(file);
  }
  return 0;
}

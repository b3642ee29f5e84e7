#pragma once

#include <string>
#include <vector>

#include "sdbench/front/compare/comparison.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench::test {

/// A good row of five runs with 1 % spread: machine "alpha", SD 1.5.
[[nodiscard]] inline RunRecord row_of(double it_s, const std::string& run_id) {
  RunRecord row;
  row.run_id = run_id;
  row.workload_id = "work";
  row.variant_id = "variant";
  row.env_id = "env";
  row.host = "alpha";
  row.engine = "plain";
  row.runtime_version = "2.11.0";
  row.device = "cuda";
  row.device_kind = "cuda";
  row.device_name = "Card";
  row.model = "sd15";
  row.weights = "synthetic:0";
  row.width = 512;
  row.height = 512;
  row.steps = 50;
  row.batch = 1;
  row.images = 1;
  row.dtype_unet = "fp16";
  row.status = "ok";
  row.repeat = 5;
  row.unet_it_s = it_s;
  row.unet_s = 50 / it_s;
  row.unet_s_sd = 0.5 / it_s;
  return row;
}

[[nodiscard]] inline RunRecord failed_row(const std::string& status, const std::string& run_id) {
  RunRecord row = row_of(1, run_id);
  row.status = status;
  row.unet_it_s.reset();
  row.unet_s.reset();
  row.unet_s_sd.reset();
  return row;
}

struct Compared {
  ResultTable table;
  Comparison comparison;

  /// The pool of a run.
  [[nodiscard]] const Pool& pool(const std::string& run_id) const {
    for (const Pool& pool : comparison.pools) {
      for (const auto* rows : {&pool.rows, &pool.left_out, &pool.failed, &pool.silent}) {
        for (const std::size_t row : *rows) {
          if (table.text(row, "run_id") == run_id) {
            return pool;
          }
        }
      }
    }
    throw std::runtime_error("no pool holds " + run_id);
  }
  [[nodiscard]] const std::string& name(const std::string& run_id) const {
    return comparison.lines[pool(run_id).line].name;
  }
  /// The notes of a run's pool, one per line.
  [[nodiscard]] std::string notes(const std::string& run_id) const {
    std::string text;
    for (const std::size_t note : pool(run_id).notes) {
      text += comparison.notes[note] + "\n";
    }
    return text;
  }
};

[[nodiscard]] inline Compared compared(const std::vector<RunRecord>& records,
                                       CompareOptions options = {}) {
  Compared result;
  std::vector<std::size_t> rows;
  for (const RunRecord& record : records) {
    // A record's note names its file, so that a test can put rows into several files.
    std::size_t file = 0;
    while (file < result.table.files().size() && result.table.files()[file] != record.note) {
      ++file;
    }
    if (file == result.table.files().size()) {
      (void)result.table.add_file(record.note);
    }
    rows.push_back(result.table.add(record, {static_cast<std::uint32_t>(file), 1}));
  }
  if (options.metric.name.empty()) {
    options.metric = find_metric("unet_it_s");
  }
  result.comparison = compare_rows(result.table, rows, options);
  return result;
}

} // namespace sdbench::test

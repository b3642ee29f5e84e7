#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sdbench/front/compare/metric.h"
#include "sdbench/front/compare/pooled_figure.h"
#include "sdbench/front/compare/verdict.h"
#include "sdbench/front/results/result_table.h"

namespace sdbench {

struct CompareOptions {
  Metric metric;
  double threshold = 0.01; ///< smallest gap that counts in a verdict: 0.01 is 1 %
  /// Rows of the results with different values in these fields go to separate lines. These values
  /// name the lines. Empty: lines are named by the machine and by whatever else distinguishes them.
  std::vector<std::size_t> row_fields;
  /// The fields that tell columns apart, in addition to the workload.
  std::vector<std::size_t> column_fields;
  /// The value of --baseline: "best", or a file, label, host, device name, run_id (or its
  /// beginning), row number, row name, machine or engine.
  std::string baseline = "best";
  /// Pools the cards of one model, on any host. Intervals are then between cards.
  bool pools_cards = false;
};

/// The number of images after which a faster engine has made up for its longer preparation.
struct BreakEven {
  enum class Kind {
    kNever,   ///< the engine is not faster
    kUnclear, ///< it is not known whether the engine is faster
    kAtOnce,  ///< the engine is faster and also prepares at least as fast
    kAfter,   ///< after `images` images
  };
  Kind kind = Kind::kNever;
  double images = 0;                     ///< a whole number, as are the ends of its interval
  std::optional<Interval> interval = {}; ///< 95 %, see break_even_of()
};

/// The rows that repeat one measurement: same work, settings, machine, engine and weights. A pool
/// is one place in the table, where a line (row) meets a column.
struct Pool {
  std::size_t line = 0;
  std::size_t column = 0;
  std::vector<std::size_t> rows;     ///< indices in the ResultTable; their figures are pooled
  std::vector<std::size_t> left_out; ///< incomplete rows, see is_whole_by()
  std::vector<std::size_t> failed;   ///< rows whose status is not ok
  std::vector<std::size_t> silent;   ///< rows that are ok but lack this figure
  std::vector<std::size_t> studies;  ///< rows of `sdbench quality` for the same configuration
  std::size_t cards = 0;             ///< of which the rows are; 0: a row does not tell its card
  std::size_t hosts = 0;             ///< of which the rows are; 0: no row tells its host
  PoolOver over = PoolOver::kRows;
  std::optional<PooledFigure> figure; ///< pooled over `rows`; a rate is kept as its reciprocal
  std::optional<double> images_per_min;
  std::optional<double> unet_it_s;
  /// Largest peak memory of the rows: that of the device or, on a CPU, that of the worker process.
  std::optional<double> peak_bytes;
  std::optional<double> j_per_image;
  std::optional<double> psnr_db_min; ///< lowest of all studies; nullopt: no study, or equal images
  std::optional<double> ssim_min;
  std::string quality_references; ///< the studies' references, in words
  bool is_baseline = false;
  std::optional<std::size_t> base; ///< index of the pool with which this one is compared
  bool same_settings = false;      ///< true: the base differs only in machine or software
  Ratio relative;                  ///< ratio to the base, see relative_to()
  Verdict verdict = Verdict::kUnclear;
  /// After how many images this pool's engine has made up for its longer preparation, compared with
  /// the base's engine. If the baseline is "best", the two engines swap roles: the base is then
  /// the better one, and only a faster engine can make up for a longer preparation.
  std::optional<BreakEven> break_even;
  std::size_t busy_rows = 0;      ///< number of the pool's rows with the flag busy
  std::vector<std::size_t> notes; ///< indices in Comparison::notes

  /// The first of these lists that is not empty: rows, left_out, silent, failed.
  [[nodiscard]] std::span<const std::size_t> sample_rows() const;
  /// The first of sample_rows(), for uses in which one row must stand for all; 0 if the pool has no
  /// rows.
  [[nodiscard]] std::size_t sample_row() const {
    return sample_rows().empty() ? 0 : sample_rows().front();
  }
};

/// A row of the table.
struct ComparedLine {
  std::string name;
  std::string machine;      ///< only the names of the device and the host
  std::string generation;   ///< generation of the GPU or processor
  std::size_t row = 0;      ///< the line's first row in the ResultTable
  bool is_baseline = false; ///< --baseline names its rows
  std::string state;        ///< state of its card, from row_states()
  /// Words that may tell lines apart, with "" for an unknown fact. In order, the four lists are
  /// about: card and machine; the card's state; the settings; software and weights.
  std::vector<std::string> place_words;
  std::vector<std::string> state_words;
  std::vector<std::string> way_words;
  std::vector<std::string> brought_words;
};

/// A column of the table.
struct ComparedColumn {
  std::string name;               ///< "sd15 512x512, 50 steps, batch 1"
  std::size_t row = 0;            ///< the column's first row in the ResultTable
  std::vector<std::size_t> pools; ///< indices; the best first, those without a figure last
};

struct Comparison {
  Metric metric;
  double threshold = 0.01;
  std::string baseline;            ///< the value of --baseline
  bool has_own_layout = false;     ///< the user gave --rows or --columns
  bool pools_cards = false;        ///< see CompareOptions
  std::vector<ComparedLine> lines; ///< numbered from 1 in tables
  std::vector<ComparedColumn> columns;
  std::vector<Pool> pools;
  std::vector<std::string> notes; ///< footnotes, to which marks in the table refer
  /// Number of rows of `sdbench quality` whose configuration is in no pool.
  std::size_t lone_studies = 0;
};

/// Compares `rows`, which are indices in the table. Throws UsageError if the baseline fits no row.
[[nodiscard]] Comparison compare_rows(const ResultTable& table, std::span<const std::size_t> rows,
                                      const CompareOptions& options);

/// Names lines, columns and notes again from the table's present values. Call it after private
/// fields were removed from the table. A baseline that was given as a device name keeps this name;
/// any other baseline is then shown by its line numbers or its machine.
void name_anew(Comparison& comparison, const ResultTable& table, const CompareOptions& options);

} // namespace sdbench

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
  double threshold = 0.01;             ///< of a verdict: 0.01 is 1 %
  std::vector<std::size_t> row_fields; ///< empty: the machine and whatever differs on it
  std::vector<std::size_t>
      column_fields; ///< besides the workload, which always tells columns apart
  /// "best", or a file, label, host, device name, run_id (or its beginning), row number, row name
  /// or machine.
  std::string baseline = "best";
};

/// Images after which a faster engine has made up for its longer preparing.
struct BreakEven {
  enum class Kind {
    kNever,   ///< it is not faster
    kUnclear, ///< it is not known if it is faster
    kAtOnce,  ///< it is faster and prepares no longer
    kAfter,   ///< after `images` images
  };
  Kind kind = Kind::kNever;
  double images = 0;                     ///< a whole number, as are the ends of its interval
  std::optional<Interval> interval = {}; ///< 95 %, from the interval of the gain per image
};

/// The rows of one measurement: same work, done the same way, in the same place, by the same engine
/// and weights. One place in the table.
struct Pool {
  std::size_t line = 0;
  std::size_t column = 0;
  std::vector<std::size_t> rows;      ///< of the ResultTable; their figures are pooled
  std::vector<std::size_t> left_out;  ///< cut short, or the machine was suspended
  std::vector<std::size_t> failed;    ///< not ok
  std::vector<std::size_t> silent;    ///< ok, but without this figure
  std::vector<std::size_t> studies;   ///< rows of `sdbench quality` for the same configuration
  std::optional<PooledFigure> figure; ///< on the metric's averaged scale
  std::optional<double> images_per_min;
  std::optional<double> unet_it_s;
  std::optional<double> peak_bytes; ///< on the device, on a CPU in the worker; the largest row's
  std::optional<double> j_per_image;
  std::optional<double> psnr_db_min; ///< of the worst study; none: all images are identical
  std::optional<double> ssim_min;
  std::string quality_references; ///< the studies' references, in words
  bool is_baseline = false;
  std::optional<std::size_t> base; ///< the pool it is compared with
  bool same_settings = false;      ///< as its base; only place or software differ
  Ratio relative;                  ///< to the base, see relative_to()
  Verdict verdict = Verdict::kUnclear;
  /// For this pool compared with its base. If the baseline is "best", for the best compared with
  /// this pool, because only the faster one can make up for its preparation.
  std::optional<BreakEven> break_even;
  std::size_t busy_rows = 0;      ///< number of its rows with the flag busy
  std::vector<std::size_t> notes; ///< places in Comparison::notes

  /// The rows with a figure; without such rows, all others.
  [[nodiscard]] std::span<const std::size_t> sample_rows() const;
  /// The first of them, which stands for all.
  [[nodiscard]] std::size_t sample_row() const {
    return sample_rows().empty() ? 0 : sample_rows().front();
  }
};

/// A row of the table.
struct ComparedLine {
  std::string name;
  std::string machine;      ///< the device and its host only
  std::string generation;   ///< of the GPU or the processor
  std::size_t row = 0;      ///< of the ResultTable: the first
  bool is_baseline = false; ///< --baseline names its rows
  std::string state;        ///< of its card, from row_states()
  /// Words that may tell lines apart, "" for an unknown fact: card and machine; the card's state;
  /// the settings; software and weights.
  std::vector<std::string> place_words;
  std::vector<std::string> state_words;
  std::vector<std::string> way_words;
  std::vector<std::string> brought_words;
};

/// A column of the table.
struct ComparedColumn {
  std::string name;               ///< "sd15 512x512, 50 steps, batch 1"
  std::size_t row = 0;            ///< of the ResultTable: the first
  std::vector<std::size_t> pools; ///< the best first, those without a figure last
};

struct Comparison {
  Metric metric;
  double threshold = 0.01;
  std::string baseline;            ///< as asked for
  bool has_own_layout = false;     ///< the user said what rows or columns are
  std::vector<ComparedLine> lines; ///< numbered from 1 in tables
  std::vector<ComparedColumn> columns;
  std::vector<Pool> pools;
  std::vector<std::string> notes; ///< texts for the marks of rows
  /// Rows of `sdbench quality` whose configuration is in no pool.
  std::size_t lone_studies = 0;
};

/// Compares rows (places in the table). Throws UsageError if the baseline fits no row.
[[nodiscard]] Comparison compare_rows(const ResultTable& table, std::span<const std::size_t> rows,
                                      const CompareOptions& options);

/// Renames lines, columns and notes from the table's present values, after private fields were
/// taken out. A baseline that was not named by its device is then named by its rows' numbers or its
/// machine.
void name_anew(Comparison& comparison, const ResultTable& table, const CompareOptions& options);

} // namespace sdbench

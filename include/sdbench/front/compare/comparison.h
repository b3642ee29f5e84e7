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
  std::vector<std::size_t> row_fields; ///< empty: the machine and what differs on it
  std::vector<std::size_t>
      column_fields; ///< besides the workload, which always tells columns apart
  /// "best", or a file, label, host, device name, run_id (or its beginning), row number, row name
  /// or machine.
  std::string baseline = "best";
};

/// After how many images one engine's faster images have made up for its longer preparing.
struct BreakEven {
  enum class Kind {
    kNever,   ///< it is not faster
    kUnclear, ///< whether it is faster
    kAtOnce,  ///< it is, and prepares no longer
    kAfter,   ///< `images` of them
  };
  Kind kind = Kind::kNever;
  double images = 0;                     ///< whole ones, as the ends of its interval are
  std::optional<Interval> interval = {}; ///< 95 %, by that of the gain an image
};

/// The rows of one measurement: same work, done the same way, in the same place, by the same engine
/// and weights. One place in the table.
struct Pool {
  std::size_t line = 0;
  std::size_t column = 0;
  std::vector<std::size_t> rows;      ///< of the ResultTable, whose figures are pooled
  std::vector<std::size_t> left_out;  ///< with figures of cut runs, beside rows with whole ones
  std::vector<std::size_t> failed;    ///< not ok
  std::vector<std::size_t> silent;    ///< ok, but without this figure
  std::vector<std::size_t> studies;   ///< of `sdbench quality`, for the same configuration
  std::optional<PooledFigure> figure; ///< on the metric's averaged scale
  std::optional<double> images_per_min;
  std::optional<double> unet_it_s;
  std::optional<double> peak_bytes; ///< on the device, of a CPU in the worker: the largest row's
  std::optional<double> j_per_image;
  std::optional<double> psnr_db_min; ///< the worst study's, as the next; none: all are identical
  std::optional<double> ssim_min;
  std::string quality_references; ///< what the studies compared with, in words
  bool is_baseline = false;
  std::optional<std::size_t> base; ///< the pool it is compared with; none: there is none
  bool same_settings = false;      ///< as its base: only the place or the software differ
  Ratio relative;                  ///< to the base, see relative_to()
  Verdict verdict = Verdict::kUnclear;
  /// This pool's beside its base. Where the baseline is the best it is the best's beside this pool,
  /// for only what is faster can make up for anything.
  std::optional<BreakEven> break_even;
  std::size_t busy_rows = 0;      ///< of its rows, flagged busy
  std::vector<std::size_t> notes; ///< places in Comparison::notes

  /// Those with a figure, else those there are: all of them have one, or none.
  [[nodiscard]] std::span<const std::size_t> sample_rows() const;
  /// A row that stands for all: the first of them.
  [[nodiscard]] std::size_t sample_row() const {
    return sample_rows().empty() ? 0 : sample_rows().front();
  }
};

/// A row of the table.
struct ComparedLine {
  std::string name;
  std::string machine;      ///< the device and its host, without the way it was used
  std::string generation;   ///< of the GPU or the processor
  std::size_t row = 0;      ///< of the ResultTable: the first
  bool is_baseline = false; ///< its rows are those that --baseline names
  std::string state;        ///< of its card, as row_states() gives it
  /// What may tell it apart, a word for each thing that does, "" where nothing is known: the card
  /// and the machine around it; the card's state; what was asked of it; software and weights.
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
  std::vector<std::string> notes; ///< what the rows' marks say
  /// Rows of `sdbench quality` whose configuration none of the pools has.
  std::size_t lone_studies = 0;
};

/// Compares rows (places in the table). Throws UsageError if the baseline is none of them.
[[nodiscard]] Comparison compare_rows(const ResultTable& table, std::span<const std::size_t> rows,
                                      const CompareOptions& options);

/// Gives lines, columns and notes the words of the table as it is now, for what may be shared: a
/// baseline that was not named by its device is named by its rows' numbers or its machine then.
void name_anew(Comparison& comparison, const ResultTable& table, const CompareOptions& options);

} // namespace sdbench

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/base/files/json_io.h"
#include "sdbench/front/compare/compare_view.h"
#include "sdbench/front/compare/comparison.h"

namespace sdbench {

/// A source of figures that others published: a row of published/sources.csv.
struct PublishedSource {
  std::string file; ///< stem of the file with the figures
  std::string kind; ///< "diffusion", "vision" or "training"
  std::string date; ///< date of the source, as precise as known
  std::string source;
  std::string protocol;
  std::string doubts;
};

/// One published figure, as printed. Fields that were not stated are empty.
struct PublishedFigure {
  std::size_t source = 0; ///< index in Published::sources
  std::string device;
  std::string device_arch;
  std::optional<std::int64_t> devices;
  std::string model;
  std::string task; ///< as in the record; empty: images from prompts
  std::optional<std::int64_t> width;
  std::optional<std::int64_t> height;
  std::optional<std::int64_t> steps;
  std::optional<std::int64_t> batch;
  std::optional<std::int64_t> epoch_images; ///< images per epoch, for a network trained over epochs
  std::string update;                       ///< for training: as the record's weight_update
  std::string loss;                         ///< for training: as the record's loss
  std::string precision;
  std::string engine;
  std::string quantity;            ///< what was measured, in words
  std::optional<double> value;     ///< the figure in `unit`; empty: no result, and `note` says why
  std::optional<double> value_max; ///< the upper end if a range was printed
  std::string unit;
  std::string metric; ///< the record's field for the same quantity; may be empty
  std::optional<double> tflops_fp32;
  std::string note;
};

struct Published {
  std::vector<PublishedSource> sources;
  std::vector<PublishedFigure> figures;
};

/// Reads all files of the folder, such as share/sdbench/published. If a row is malformed, throws
/// an Error that names the file and the row.
[[nodiscard]] Published read_published(const std::filesystem::path& folder);

/// The figure in the unit of its metric (s/it as it/s, images/s as images/min, ms as s). nullopt
/// without a metric or a value.
[[nodiscard]] std::optional<double> in_metric_unit(const PublishedFigure& figure);

/// One table for each column and metric with published figures of the same work. Work is the same
/// if model, task, size and batch are equal. For images, the steps must also be equal; for
/// networks, the loss, the weight update and the number of images per epoch. Each table lists
/// published and own figures together and marks the published ones. The best figures come first,
/// those without a value last. Leaves out a figure whose work is not fully stated.
[[nodiscard]] std::vector<ViewTable> published_tables(const Comparison& comparison,
                                                      const ResultTable& table,
                                                      const Published& published);

/// Adds the published figures of published_tables() to the data of to_json(), as places with the
/// status "published".
void add_published(nlohmann::ordered_json& comparison, const Comparison& ours,
                   const ResultTable& table, const Published& published);

} // namespace sdbench

#include "sdbench/front/report/roofline.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/model_cost.h"
#include "sdbench/base/config/network_config.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/record/field_name.h"

namespace sdbench {
namespace {

constexpr double kFlopsOfTflops = 1e12;
constexpr double kFlopOfMac = 2;
constexpr double kMostPixels = 1 << 16; ///< rows beyond these limits are not believed
constexpr double kMostBatch = 1 << 20;

/// A shipped architecture; nullptr for any other name. A name from a file never opens a file.
const ModelConfig* shipped_model(const std::string& name) {
  static std::map<std::string, ModelConfig> known;
  static const std::vector<std::string> names = shipped_model_names();
  if (std::ranges::find(names, name) == names.end()) {
    return nullptr;
  }
  const auto found = known.find(name);
  return found != known.end() ? &found->second
                              : &known.emplace(name, find_model_config(name)).first->second;
}

struct Work {
  std::string model;
  Dtype dtype = Dtype::kF32;
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::int64_t rows = 0;                         ///< batch size that the model sees
  auto operator<=>(const Work&) const = default; // NOLINT(modernize-use-nullptr): it has no pointer
};

std::optional<std::int64_t> count_between(const ResultTable& table, std::size_t row,
                                          FieldName field, double most) {
  const auto value = table.number(row, field);
  if (!value || *value < 1 || *value > most || *value != std::floor(*value)) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(*value);
}

std::optional<Work> work_of_row(const ResultTable& table, std::size_t row) {
  const auto width = count_between(table, row, "width", kMostPixels);
  const auto height = count_between(table, row, "height", kMostPixels);
  const auto batch = count_between(table, row, "batch", kMostBatch);
  const auto dtype = compute_dtype_from_name(table.text(row, "dtype_unet"));
  const std::string name(table.text(row, "model"));
  const ModelConfig* const model = shipped_model(name);
  if (!width || !height || !batch || !dtype || model == nullptr) {
    return std::nullopt;
  }
  Work work{name, *dtype, *width, *height, *batch};
  if (!model->network) {
    const auto guidance = table.number(row, "guidance");
    if (!guidance) {
      return std::nullopt;
    }
    work.rows *= is_guided(model->denoiser, *guidance) ? 2 : 1;
  }
  return work;
}

/// Bytes that one iteration moves at least (0 if unknown).
struct Traffic {
  double bytes = 0;
  std::optional<double> flop; ///< for networks only; a row has that of a UNet
};

/// The traffic of a forward pass. The products of each gradient move as much again, so training has
/// the same intensity.
Traffic network_traffic(const NetworkConfig& network, const Work& work) {
  if (work.width != network.image_size || work.height != network.image_size) {
    return {};
  }
  const auto rows = static_cast<double>(work.rows);
  const double elements = network_parameters(network) + rows * network_results(network).all;
  return {.bytes = elements * static_cast<double>(size_of(work.dtype)),
          .flop = kFlopOfMac * rows * network_macs(network)};
}

Traffic unet_traffic(const ModelConfig& model, const Work& work) {
  const std::int64_t factor = model.vae.scale_factor();
  if (work.width % factor != 0 || work.height % factor != 0) {
    return {};
  }
  const double elements =
      parameter_counts(model).unet + denoiser_moved_elements(model.denoiser, work.height / factor,
                                                             work.width / factor,
                                                             token_count(model), work.rows);
  return {.bytes = elements * static_cast<double>(size_of(work.dtype)), .flop = std::nullopt};
}

Traffic traffic_of(const Work& work) {
  const ModelConfig& model = *shipped_model(work.model); // not null: work_of_row() has checked
  return model.network ? network_traffic(*model.network, work) : unet_traffic(model, work);
}

} // namespace

std::optional<double> bytes_of_row(const ResultTable& table, std::size_t row) {
  const auto work = work_of_row(table, row);
  const double bytes = work ? traffic_of(*work).bytes : 0;
  return bytes > 0 ? std::optional(bytes) : std::nullopt;
}

Roofline roofline(const ResultTable& table, const std::map<std::string, NominalPeak>& peaks) {
  std::map<Work, Traffic> known;
  Roofline result;
  for (std::size_t row = 0; row < table.size(); ++row) {
    if (!has_true_speed(table, row) || !table.number(row, "achieved_tflops")) {
      continue;
    }
    const auto work = work_of_row(table, row);
    if (work && !known.contains(*work)) {
      known[*work] = traffic_of(*work);
    }
    const Traffic traffic = work ? known[*work] : Traffic{};
    const double flop =
        traffic.flop.value_or(table.number(row, "unet_tflop").value_or(0) * kFlopsOfTflops);
    if (!(traffic.bytes > 0) || !(flop > 0)) {
      ++result.left_out;
      continue;
    }
    const auto peak = peaks.find(std::string(table.text(row, "device_name")));
    const std::string precision = precision_of_row(table, row);
    result.points.push_back(
        {row, flop / traffic.bytes, precision,
         peak == peaks.end() ? 0 : peak_for_precision(peak->second, precision) / kFlopsOfTflops});
  }
  return result;
}

} // namespace sdbench

#include "sdbench/front/other_engines/disk_estimate.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>

#include "sdbench/base/config/other_engine_table.h"
#include "sdbench/base/config/work_field_table.h"
#include "sdbench/base/plan/memory_estimate.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/base/weights/locate.h"

namespace sdbench {
namespace {

/// A key of the cell's weights.
std::string weights_key(const Cell& cell) {
  return cell.model.name + '\n' + cell.weights.path.string() + '\n' +
         std::to_string(cell.weights.seed);
}

/// Job.is_halved_evenly of engines/shared. A trace with open shapes fits only sizes of one kind.
bool is_halved_evenly(const Cell& cell) {
  const std::int64_t levels = std::ssize(unet_of(cell.model).block_out_channels);
  const std::int64_t pixels = cell.model.vae.scale_factor()
                              << std::max<std::int64_t>(levels - 1, 0);
  return cell.width % pixels == 0 && cell.height % pixels == 0;
}

/// Cells with the same key share a prepared model (PartsEngine.decides in engines/shared). Assumes
/// that all cells of a run have the same guidance.
std::string prepared_key(const Cell& cell, const EngineRow& row) {
  std::string key = cell.engine + '\n' + weights_key(cell) + '\n' + cell.device + '\n' +
                    (cell.dtype ? std::string(name_of(*cell.dtype)) : "auto") + '\n';
  for (const WorkField& field : kWorkFields) {
    key += field.changes_models ? value_text(cell, field) + '\n' : "";
  }
  const bool is_open = cell.dynamic_shapes == "on";
  if (is_open) {
    key += is_halved_evenly(cell) ? "even " : "uneven ";
  }
  if (!is_open || row.is_tuned) {
    for (const std::int64_t each : {cell.width, cell.height, cell.batch}) {
      key += std::to_string(each) + ' ';
    }
  }
  return key + (row.is_tuned ? cell.tf32 : "");
}

} // namespace

DiskEstimate disk_estimate(std::span<const Cell* const> cells) {
  DiskEstimate estimate;
  std::set<std::string> prepared;
  std::set<std::string> written;
  for (const Cell* const cell : cells) {
    const EngineRow* const row = find_engine_row(cell->engine);
    if (row == nullptr) {
      continue;
    }
    constexpr std::int64_t kElement = 4;
    const std::int64_t bytes = weight_bytes(cell->model, Precision{Dtype::kF32, false});
    if (cell->weights.kind == WeightsLocation::Kind::kSynthetic &&
        written.insert(weights_key(*cell)).second) {
      estimate.bytes += bytes;
    }
    if (row->kept_bytes_per_weight > 0 && prepared.insert(prepared_key(*cell, *row)).second) {
      ++estimate.prepared;
      estimate.bytes += bytes / kElement * row->kept_bytes_per_weight;
    }
  }
  return estimate;
}

} // namespace sdbench

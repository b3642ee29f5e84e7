#include "sdbench/cli/dry_run.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "sdbench/cli/aligned_text.h"
#include "sdbench/config/decoding_size.h"
#include "sdbench/config/model_config.h"
#include "sdbench/core/dtype.h"
#include "sdbench/core/escape.h"
#include "sdbench/core/precision.h"
#include "sdbench/core/status.h"
#include "sdbench/plan/cell.h"
#include "sdbench/plan/memory_estimate.h"
#include "sdbench/plan/parallel_cells.h"
#include "sdbench/record/build_record.h"
#include "sdbench/record/parallel_sum.h"
#include "sdbench/record/run_record.h"
#include "sdbench/sink/engine_words.h"
#include "sdbench/sink/units.h"

namespace sdbench {
namespace {

std::int64_t needed_bytes(const Cell& cell, Precision precision) {
  const std::size_t element = size_of(precision.weight_dtype());
  const bool on_gpu = cell.device.starts_with("cuda"); // what "auto" comes to only a worker knows
  return weight_bytes(cell.model, precision, cell.offload == "stages") +
         std::max(decoding_bytes(cell.model.vae, element, cell.width, cell.height, cell.batch,
                                 cell.vae_tiling,
                                 on_gpu ? std::optional(kMostDecodedOnGpu) : std::nullopt),
                  denoising_bytes(cell, element)) +
         (on_gpu ? kCudaLibraryBytes : 0);
}

/// Shares of the processor that run together stand in the same memory, each with its own model.
std::int64_t cells_in_one_memory(const Cell& cell) {
  const auto shares = std::ranges::count_if(
      cell.parallel_devices, [](const std::string& device) { return device.starts_with("cpu:"); });
  return is_whole(cell) ? std::max<std::int64_t>(shares, 1) : 1;
}

/// "cpu:0+cpu:1 (each)"
std::string devices_text(const Cell& cell) {
  return cell.device + (cell.share.empty() ? "" : " (" + cell.share + ")");
}

/// Which dtype "auto" comes to only the device decides.
std::string memory_text(const Cell& cell) {
  if (!is_known(cell.model)) {
    return "unknown";
  }
  const auto text = [&](Precision precision) {
    return bytes_text(cells_in_one_memory(cell) * needed_bytes(cell, precision));
  };
  return cell.dtype ? text(*cell.dtype) : text(Dtype::kF16) + " (fp32: " + text(Dtype::kF32) + ")";
}

std::string earlier_text(const Cell& cell, EarlierRows* earlier,
                         const std::vector<DeviceInfo>& devices, const RecordContext& context) {
  if (earlier == nullptr) {
    return {};
  }
  const auto status = earlier->take(execution_key(cell, context),
                                    env_id_of(device_of(cell, devices), context), context.host);
  return status ? std::string(name_of(*status)) + " in the outputs" : "";
}

struct Total {
  double seconds = 0;
  std::size_t unknown = 0;
  std::size_t left_out = 0;
};

std::string time_column(const SweepCell& swept, const std::string& done,
                        std::span<const RunRecord> rows, const RecordContext& context,
                        Total& total) {
  if (!done.empty() || !swept.planned.obstacle.empty()) {
    ++total.left_out;
    return done.empty() ? "skipped: " + swept.planned.obstacle : done;
  }
  const auto seconds = expected_seconds(swept.planned.cell, rows, context);
  total.seconds += seconds.value_or(0);
  total.unknown += seconds ? 0 : 1;
  return seconds ? time_text(*seconds) : "unknown";
}

std::string total_text(const Total& total, std::size_t steps) {
  std::string text = counted(static_cast<std::int64_t>(steps), "run") + " planned, nothing is run";
  if (total.left_out > 0) {
    text += "; " + std::to_string(total.left_out) + " would be left out";
  }
  const std::size_t known = steps - total.left_out - total.unknown;
  text += "\nexpected time: ";
  text += known == 0 ? "unknown" : time_text(total.seconds);
  if (known > 0 && total.unknown > 0) {
    text += " and " + std::to_string(total.unknown) + " of unknown time";
  }
  return text + " (by rows of the same cells in the outputs)\n"
                "memory: weights and the largest intermediate results, about; with --device cuda "
                "also what CUDA's libraries take\n";
}

} // namespace

std::optional<double> expected_seconds(const Cell& cell, std::span<const RunRecord> rows,
                                       const RecordContext& context) {
  const std::string cell_id = cell_id_of(cell, context);
  std::optional<double> seconds;
  for (const RunRecord& row : rows) {
    if (row.cell_id == cell_id && row.host == context.host && row.status == "ok" && row.e2e_s) {
      const double batches = static_cast<double>(cell.images) / static_cast<double>(cell.batch);
      seconds = row.load_s.value_or(0) + row.first_image_s.value_or(0) +
                *row.e2e_s * (static_cast<double>(cell.repeat) +
                              static_cast<double>(row.warmup.value_or(0)) /
                                  batches); // a warm-up is one batch
    }
  }
  return seconds;
}

std::string dry_run_text(const std::vector<SweepCell>& cells, const std::vector<SweepStep>& steps,
                         std::span<const RunRecord> rows, EarlierRows* earlier,
                         const std::vector<DeviceInfo>& devices, const RecordContext& context) {
  std::vector<std::vector<std::string>> lines = {
      {"RUN", "MODEL", "SIZE (px)", "STEPS", "BATCH", "IMAGES", "DEVICE", "THREADS", "DTYPE",
       "ATTENTION", "ENGINE", "ROUND", "RESTART", "MEMORY", "TIME"}};
  Total total;
  for (const SweepStep& step : steps) {
    const SweepCell& swept = cells[step.cell];
    const Cell& cell = swept.planned.cell;
    // Which batches a search will try is not known, nor which of them are done.
    const std::string done =
        swept.search_batch ? "" : earlier_text(cell, earlier, devices, context);
    lines.push_back({std::to_string(lines.size()), one_line(cell.model.name),
                     std::to_string(cell.width) + "x" + std::to_string(cell.height),
                     std::to_string(cell.steps),
                     swept.search_batch ? "auto" : std::to_string(cell.batch),
                     swept.search_batch ? "batch" : std::to_string(cell.images), devices_text(cell),
                     cell.threads == 0 ? "all" : std::to_string(cell.threads),
                     cell.dtype ? std::string(name_of(*cell.dtype)) : "auto", cell.attention,
                     engine_words(build_record(cell, {}, context)), std::to_string(step.round),
                     std::to_string(step.restart), memory_text(cell),
                     time_column(swept, done, rows, context, total)});
  }
  return aligned_text(lines) + "\n" + total_text(total, steps.size());
}

} // namespace sdbench

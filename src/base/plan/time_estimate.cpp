#include "sdbench/base/plan/time_estimate.h"

#include <cmath>
#include <cstdint>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/config/model_cost.h"
#include "sdbench/base/config/model_family_table.h"
#include "sdbench/base/types/own_engines.h"
#include "sdbench/base/types/task_table.h"

namespace sdbench {
namespace {

constexpr double kFlopPerMac = 2;
/// The part of a product's rate that a step reaches, from records of two processors
/// (benchmarks/records, 2026-11-23 and 2026-11-25). The tuned engine reaches 0.85 to 0.91 in bf16,
/// and 1.0 to 1.1 in fp32, where Winograd's form needs fewer products; the plain one 0.4 to 0.7.
double reached_share(const Cell& cell) {
  return cell.engine == kTunedEngine ? 0.9 : 0.6;
}

constexpr double kLongSeconds = 300;
/// A cell with fewer operations takes less than kLongSeconds even on a slow processor that reaches
/// 5 of its 10 GFLOP/s.
constexpr double kLongFlop = kLongSeconds * 5e9;

double flop_of_image(const Cell& cell) {
  if (cell.model.network) {
    return kFlopPerMac * passes_of(cell.task) * network_macs(*cell.model.network);
  }
  const std::int64_t factor = cell.model.vae.scale_factor();
  const std::int64_t height = cell.height / factor;
  const std::int64_t width = cell.width / factor;
  const std::int64_t halves = is_guided(cell) ? 2 : 1;
  return kFlopPerMac *
         (static_cast<double>(planned_calls(cell)) *
              denoiser_macs(cell.model.denoiser, height, width, token_count(cell.model), halves) +
          vae_decode_macs(cell.model.vae, height, width, 1));
}

/// First image, warm-up (one, if the cell itself decides) and timed runs.
double flop_of_cell(const Cell& cell) {
  const auto runs = static_cast<double>(whole_runs(cell)) * static_cast<double>(cell.images);
  const auto warmups =
      static_cast<double>(cell.warmup.value_or(1)) * static_cast<double>(cell.batch);
  return flop_of_image(cell) * (runs + warmups);
}

} // namespace

bool may_take_long(const Cell& cell) {
  return flop_of_cell(cell) >= kLongFlop;
}

double seconds_by_arithmetic(const Cell& cell, double rate) {
  return flop_of_cell(cell) / (reached_share(cell) * rate);
}

std::string rough_time(double seconds) {
  constexpr double kMinute = 60;
  constexpr double kHour = 3600;
  constexpr double kDay = 24 * kHour;
  const auto rounded = [&](double unit) { return std::to_string(std::llround(seconds / unit)); };
  return seconds >= 4 * kDay        ? rounded(kDay) + " days"
         : seconds >= 1.5 * kHour   ? rounded(kHour) + " h"
         : seconds >= 1.5 * kMinute ? rounded(kMinute) + " min"
                                    : rounded(1) + " s";
}

std::string expected_time_basis(const Cell& cell, double seconds, bool by_rows) {
  return std::string("on this processor, by ") +
         (by_rows ? "the latest row of the same cell in the outputs"
                  : "its arithmetic and the measured speed of a matrix product") +
         (seconds < kLongSeconds ? ""
          : cell.epochs > 0      ? "; to shorten it, take fewer epochs (--epochs) or a GPU"
          : !makes_images(cell.task)
              ? "; to shorten it, take fewer iterations (--iterations), one timed run (--repeat "
                "1), a smaller --batch, or a GPU"
              : "; to shorten it, take fewer steps (--steps), one timed run (--repeat 1), "
                "--model " +
                    std::string(family_of(cell.model.pipeline).smallest_model) + ", or a GPU");
}

std::string expected_time_note(const Cell& cell, const std::function<double()>& rate) {
  if (!may_take_long(cell)) {
    return {};
  }
  const double seconds = cell.expected_s ? *cell.expected_s : seconds_by_arithmetic(cell, rate());
  return seconds >= kLongSeconds
             ? "this cell takes about " + rough_time(seconds) + " " +
                   expected_time_basis(cell, seconds, cell.expected_s.has_value())
             : "";
}

} // namespace sdbench

#include "sdbench/front/bench/sweep_probes.h"

#include <cmath>
#include <string_view>
#include <utility>
#include <variant>

#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/types/status.h"
#include "sdbench/front/record/flags.h"

namespace sdbench {
namespace {

constexpr double kPercent = 100;
/// A probe takes about half a second, so that this is a hundredth of a sweep's time at most.
constexpr double kBetweenProbes_s = 60;
/// A short sweep on a CPU is over before its processor changes.
constexpr double kFirstOnCpu_s = 120;
constexpr double kChangedPercent = 3;

constexpr const char* kCopy = "copy";
constexpr const char* kToDevice = "to_device_pinned";

/// The figure of matrix products in the format in which the row's UNet or network computed.
std::string product_figure(const RunRecord& record) {
  const std::string& dtype = record.dtype_unet;
  const std::string& tf32 = record.tf32_used.empty() ? record.tf32 : record.tf32_used;
  if (dtype.ends_with("bf16")) { // autocast-bf16, too
    return "product_bf16";
  }
  if (dtype.ends_with("fp16")) {
    return "product_fp16";
  }
  const bool on_gpu = is_gpu_of_torch(device_kind_named(record.device_kind));
  return on_gpu && tf32 == "on" ? "product_tf32" : "product_fp32";
}

class Listener final : public ExecutorObserver {
public:
  explicit Listener(ExecutorObserver& cell) : cell_(cell) {}
  void on_event(const CellEvent& event) override {
    if (const auto* const figure = std::get_if<ProbeEvent>(&event)) {
      figures_[figure->name] = figure->value;
    } else if (const auto* const note = std::get_if<NoteEvent>(&event)) {
      cell_.on_event(NoteEvent{"probe: " + note->text});
    }
  }
  [[nodiscard]] std::optional<double> value(const std::string& name) const {
    const auto found = figures_.find(name);
    return found == figures_.end() ? std::nullopt : std::optional(found->second);
  }

private:
  ExecutorObserver& cell_;
  std::map<std::string, double> figures_;
};

/// In percent of the first; nothing if one of them is unknown.
std::optional<double> change(const std::optional<double>& first,
                             const std::optional<double>& latest) {
  return first && latest && *first > 0 ? std::optional(kPercent * (*latest / *first - 1))
                                       : std::nullopt;
}

/// The change further from none.
std::optional<double> larger(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b ? std::optional(std::abs(*a) < std::abs(*b) ? *b : *a) : a ? a : b;
}

} // namespace

SweepProbes::SweepProbes(ProbeUse use, std::function<double()> now_s)
    : use_(use), now_s_(std::move(now_s)), begin_s_(now_s_()) {}

bool SweepProbes::is_due(const Probed* before, bool on_gpu, bool is_last) const {
  switch (use_) {
  case ProbeUse::kOn:
    return true;
  case ProbeUse::kOff:
    return false;
  case ProbeUse::kAuto:
    break;
  }
  return before != nullptr ? is_last || now_s_() - before->at_s >= kBetweenProbes_s
                           : on_gpu || now_s_() - begin_s_ >= kFirstOnCpu_s;
}

SweepProbes::Probed* SweepProbes::probe(const Cell& cell, const std::string& product, bool on_gpu,
                                        Executor& executor, ExecutorObserver& observer) {
  ProbePlace place{.device = cell.device,
                   .device_in_worker = {},
                   .cpu_share = cell.cpu_share,
                   .threads = cell.threads,
                   .figures = {product, kCopy}};
  if (on_gpu) {
    place.figures.emplace_back(kToDevice);
  }
  Listener heard(observer);
  const CellOutcome outcome = executor.probe(place, heard);
  if (outcome.status != Status::kOk) {
    if (outcome.status != Status::kInterrupted) {
      observer.on_event(NoteEvent{"the device could not be probed: " + outcome.message});
    }
    return nullptr;
  }
  const Rates rates{heard.value(product), heard.value(kCopy), heard.value(kToDevice)};
  Probed& probed =
      probed_.try_emplace(cell.device + " " + product, Probed{rates, rates, 0}).first->second;
  probed.latest = rates;
  probed.at_s = now_s_();
  return &probed;
}

void SweepProbes::after_cell(const Cell& cell, bool is_last, Executor& executor,
                             ExecutorObserver& observer, RunRecord& record) {
  if (record.status != name_of(Status::kOk)) {
    return;
  }
  const std::string product = product_figure(record);
  const bool on_gpu = is_gpu_of_torch(device_kind_named(record.device_kind));
  const auto known = probed_.find(cell.device + " " + product);
  const Probed* probed = known == probed_.end() ? nullptr : &known->second;
  if (is_due(probed, on_gpu, is_last)) {
    probed = probe(cell, product, on_gpu, executor, observer);
  }
  if (probed == nullptr) {
    return;
  }
  const Rates& first = probed->first;
  const Rates& latest = probed->latest;
  record.probe_product_tflops = latest.product_tflops;
  record.probe_copy_gb_s = latest.copy_gb_s;
  record.probe_h2d_gb_s = latest.h2d_gb_s;
  record.probe_drift_percent = larger(change(first.product_tflops, latest.product_tflops),
                                      change(first.copy_gb_s, latest.copy_gb_s));
  if (record.achieved_tflops && latest.product_tflops.value_or(0) > 0) {
    record.of_measured_peak_percent = kPercent * *record.achieved_tflops / *latest.product_tflops;
  }
  if (std::abs(record.probe_drift_percent.value_or(0)) > kChangedPercent) {
    add_flag(record, kMachineChanged);
    observer.on_event(NoteEvent{
        "the device itself is " + significant_text(std::abs(*record.probe_drift_percent), 2) +
        (*record.probe_drift_percent < 0 ? " % slower" : " % faster") +
        " than at this sweep's first probe: verdicts leave the row out; see to its clocks, its "
        "temperature and its neighbours"});
  }
}

} // namespace sdbench

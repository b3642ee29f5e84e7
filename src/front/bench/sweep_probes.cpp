#include "sdbench/front/bench/sweep_probes.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>
#include <vector>

#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/types/own_engines.h"
#include "sdbench/base/types/status.h"
#include "sdbench/front/record/flags.h"

namespace sdbench {
namespace {

constexpr double kPercent = 100;
/// A probe takes about a second, so that this is a fiftieth of a sweep's time at most.
constexpr double kBetweenProbes_s = 60;
/// A short sweep on a CPU is over before its processor changes.
constexpr double kFirstOnCpu_s = 120;
constexpr int kLooks = 3; ///< measurements of a probe, which tell its scatter

constexpr const char* kCopy = "copy";
constexpr const char* kToDevice = "to_device_pinned";

std::string tf32_of(const RunRecord& record) {
  return record.tf32_used.empty() ? record.tf32 : record.tf32_used;
}

/// The format in which the row's UNet or network multiplied.
std::string format_of(const RunRecord& record, bool on_gpu) {
  const std::string& dtype = record.dtype_unet;
  return dtype.ends_with("bf16")             ? "bf16" // autocast-bf16, too
         : dtype.ends_with("fp16")           ? "fp16"
         : on_gpu && tf32_of(record) == "on" ? "tf32"
                                             : "fp32";
}

/// False if the row's operations are of several formats, or are summed in another way than the
/// probe's.
bool has_products_of_probe(const RunRecord& record) {
  return tf32_of(record) != "conv" && record.fp16_accumulation != "on" &&
         !record.dtype_unet.starts_with("autocast");
}

/// Keeps the figures of the probes of one moment.
class Listener final : public ExecutorObserver {
public:
  explicit Listener(ExecutorObserver& cell) : cell_(cell) {}
  void on_event(const CellEvent& event) override {
    if (const auto* const figure = std::get_if<ProbeEvent>(&event)) {
      figures_[figure->name].push_back(figure->value);
    } else if (const auto* const note = std::get_if<NoteEvent>(&event)) {
      cell_.on_event(NoteEvent{"probe: " + note->text});
    }
  }
  /// The values of one figure; empty if the device lacks it.
  [[nodiscard]] const std::vector<double>& values(const std::string& name) {
    return figures_[name];
  }

private:
  ExecutorObserver& cell_;
  std::map<std::string, std::vector<double>> figures_;
};

/// The change further from none.
std::optional<double> larger(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b ? std::optional(std::abs(*a) < std::abs(*b) ? *b : *a) : a ? a : b;
}

} // namespace

SweepProbes::SweepProbes(ProbeUse use, std::function<double()> now_s)
    : use_(use), now_s_(std::move(now_s)), begin_s_(now_s_()) {}

/// In percent of the one before. Nothing if one of them is unknown.
std::optional<double> SweepProbes::change(const std::optional<Range>& before,
                                          const std::optional<Range>& latest) {
  return before && latest && before->most > 0
             ? std::optional(kPercent * (latest->most / before->most - 1))
             : std::nullopt;
}

/// A machine whose neighbours never rest gives another rate at each look, so that two probes whose
/// ranges overlap tell no change.
bool SweepProbes::is_sure(const std::optional<Range>& before, const std::optional<Range>& latest) {
  return std::abs(change(before, latest).value_or(0)) > kChangedPercent &&
         (latest->most < before->least || latest->least > before->most);
}

/// A device that has changed is probed behind each cell, so that no row inherits the flag.
bool SweepProbes::is_due(const Probed* before, bool on_gpu, bool is_last) const {
  switch (use_) {
  case ProbeUse::kOn:
    return true;
  case ProbeUse::kOff:
    return false;
  case ProbeUse::kAuto:
    break;
  }
  return before != nullptr
             ? is_last || before->has_changed || now_s_() - before->at_s >= kBetweenProbes_s
             : on_gpu || now_s_() - begin_s_ >= kFirstOnCpu_s;
}

std::optional<SweepProbes::Rates> SweepProbes::measure(const Cell& cell, const std::string& format,
                                                       bool on_gpu, Executor& executor,
                                                       ExecutorObserver& observer) {
  const std::string product = "product_" + format;
  // Not with the cell's --threads: the rate is the device's own.
  ProbePlace place{.device = cell.device,
                   .device_in_worker = {},
                   .cpu_share = cell.cpu_share,
                   .threads = 0,
                   .figures = {product, kCopy}};
  if (on_gpu) {
    place.figures.emplace_back(kToDevice);
  }
  Listener heard(observer);
  for (int look = 0; look < kLooks; ++look) {
    const CellOutcome outcome = executor.probe(place, heard);
    if (outcome.status == Status::kInterrupted) {
      return std::nullopt;
    }
    if (outcome.status != Status::kOk) {
      observer.on_event(
          NoteEvent{"the device could not be probed, and is not probed again: " + outcome.message});
      failed_.insert(cell.device);
      return std::nullopt;
    }
  }
  const auto range = [&](const std::string& name) {
    const std::vector<double>& values = heard.values(name);
    return values.empty() ? std::nullopt
                          : std::optional(Range{*std::ranges::min_element(values),
                                                *std::ranges::max_element(values)});
  };
  return Rates{range(product), range(kCopy), range(kToDevice)};
}

/// A probe that is surely faster shows that the ones before were disturbed. It is the reference
/// from then on, so that one disturbed probe does not flag a whole night.
void SweepProbes::learn(Probed& probed, const Rates& rates) const {
  probed.latest = rates;
  probed.at_s = now_s_();
  const auto product = change(probed.reference.product_tflops, rates.product_tflops);
  const auto copy = change(probed.reference.copy_gb_s, rates.copy_gb_s);
  probed.drift_percent = larger(product, copy);
  const bool product_sure = is_sure(probed.reference.product_tflops, rates.product_tflops);
  const bool copy_sure = is_sure(probed.reference.copy_gb_s, rates.copy_gb_s);
  probed.has_changed = product_sure || copy_sure;
  if (!probed.reference.product_tflops || (product_sure && *product > 0)) {
    probed.reference.product_tflops = rates.product_tflops;
  }
  if (!probed.reference.copy_gb_s || (copy_sure && *copy > 0)) {
    probed.reference.copy_gb_s = rates.copy_gb_s;
  }
}

void SweepProbes::after_cell(const Cell& cell, bool is_last, Executor& executor,
                             ExecutorObserver& observer, RunRecord& record) {
  const auto kind = device_kind_named(record.device_kind);
  if (record.status != name_of(Status::kOk) || !is_own_engine(record.engine) ||
      !is_of_torch(kind) || failed_.contains(cell.device)) {
    return;
  }
  const bool on_gpu = is_gpu_of_torch(kind);
  const std::string format = format_of(record, on_gpu);
  const std::string key = cell.device + " " + format;
  const auto known = probed_.find(key);
  if (is_due(known == probed_.end() ? nullptr : &known->second, on_gpu, is_last)) {
    if (const auto rates = measure(cell, format, on_gpu, executor, observer)) {
      learn(probed_.try_emplace(key, Probed{*rates, *rates, {}, false, 0}).first->second, *rates);
    }
  }
  if (const auto found = probed_.find(key); found != probed_.end()) {
    fill(found->second, format, observer, record);
  }
}

void SweepProbes::fill(const Probed& probed, const std::string& format, ExecutorObserver& observer,
                       RunRecord& record) {
  const auto rate = [](const std::optional<Range>& range) {
    return range ? std::optional(range->most) : std::nullopt;
  };
  record.probe_format = format;
  record.probe_product_tflops = rate(probed.latest.product_tflops);
  record.probe_copy_gb_s = rate(probed.latest.copy_gb_s);
  record.probe_h2d_gb_s = rate(probed.latest.h2d_gb_s);
  record.probe_drift_percent = probed.drift_percent;
  if (record.achieved_tflops && record.probe_product_tflops.value_or(0) > 0 &&
      has_products_of_probe(record)) {
    record.of_measured_peak_percent =
        kPercent * *record.achieved_tflops / *record.probe_product_tflops;
  }
  if (probed.has_changed) {
    add_flag(record, kMachineChanged);
    observer.on_event(NoteEvent{
        "the device itself is " + number_text(std::round(std::abs(*probed.drift_percent))) +
        (*probed.drift_percent < 0 ? " % slower" : " % faster") +
        " than at an earlier probe of this sweep: verdicts leave the row out; see to its "
        "clocks, its temperature and its neighbours"});
  }
}

} // namespace sdbench

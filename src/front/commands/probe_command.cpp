#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "sdbench/base/device/cpu_cores.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/device/device_name.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/probe_figure_table.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/plan/device_lists.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/status.h"
#include "sdbench/front/bench/worker_process.h"
#include "sdbench/front/commands/commands.h"
#include "sdbench/front/options/arguments.h"
#include "sdbench/front/terminal/exit_code.h"
#include "sdbench/front/terminal/interrupt.h"
#include "sdbench/front/terminal/streams.h"
#include "sdbench/front/words/text_form.h"

namespace sdbench {
namespace {

/// What a probe found of one device.
class ProbedDevice final : public ExecutorObserver {
public:
  ProbedDevice(std::string name, const Streams& streams)
      : name_(std::move(name)), streams_(streams) {}

  void on_event(const CellEvent& event) override {
    if (const auto* const device = std::get_if<DeviceEvent>(&event)) {
      device_ = device->device.name;
      const bool is_gpu = is_gpu_of_torch(device->device.kind);
      if (name_ == kAutoDevice) { // what it turned out to be
        name_ = typed_name({.kind = device->device.kind,
                            .number = is_gpu ? std::optional(device->device.index) : std::nullopt});
      }
    } else if (const auto* const figure = std::get_if<ProbeEvent>(&event)) {
      figures_.emplace_back(figure->name, figure->value);
    } else if (const auto* const note = std::get_if<NoteEvent>(&event)) {
      streams_.say(name_ + ": " + note->text);
    }
  }

  [[nodiscard]] bool has_figures() const { return !figures_.empty(); }
  /// The value of a figure for people; empty if the device lacks it.
  [[nodiscard]] std::string text_of(std::string_view figure) const {
    const auto found = std::ranges::find(figures_, figure, &Figure::first);
    return found == figures_.end() ? "" : significant_text(found->second, 3);
  }
  [[nodiscard]] std::string title() const {
    return one_line(device_.empty() ? name_ : name_ + ", " + device_);
  }
  [[nodiscard]] nlohmann::ordered_json json() const {
    nlohmann::ordered_json figures = nlohmann::ordered_json::object();
    for (const auto& [name, value] : figures_) {
      figures[name] = value;
    }
    return {{"device", name_}, {"device_name", escape_text(device_)}, {"figures", figures}};
  }

private:
  using Figure = std::pair<std::string, double>;

  std::string name_;
  const Streams& streams_;
  std::string device_;
  std::vector<Figure> figures_;
};

std::string table_of(const std::vector<ProbedDevice>& devices, const Screen& screen) {
  std::vector<std::vector<std::string>> rows{{"FIGURE", "UNIT"}};
  for (const ProbedDevice& device : devices) {
    rows.front().push_back(device.title());
  }
  for (const ProbeFigure& figure : kProbeFigures) {
    std::vector<std::string> row{std::string(figure.words), std::string(figure.unit)};
    for (const ProbedDevice& device : devices) {
      row.push_back(device.text_of(figure.name));
    }
    if (std::ranges::any_of(row.begin() + 2, row.end(),
                            [](const std::string& text) { return !text.empty(); })) {
      rows.push_back(std::move(row));
    }
  }
  return aligned_text(rows, screen);
}

std::vector<std::string> names_of(const std::string& asked, const ExecutorFactory& make_executor,
                                  const InterruptGuard& interrupt) {
  std::vector<std::string> names;
  for (const std::string_view one : split(asked, ',')) {
    const std::string name(one);
    const std::optional<DeviceName> parsed = parse_device_name(name);
    if (!parsed) {
      throw UsageError("--device must be " + listed(device_forms()) + ", but is " +
                       in_quotes(name));
    }
    if (!parsed->is_all) {
      add_new(names, {name});
      continue;
    }
    WorkerOptions worker;
    worker.stop = &interrupt.requested();
    add_new(names, all_device_names(make_executor(worker)->devices(),
                                    std::getenv("CUDA_VISIBLE_DEVICES")));
  }
  return names;
}

} // namespace

int probe_command(const std::vector<std::string>& arguments, const Streams& streams,
                  const ExecutorFactory& make_executor) {
  CLI::App app("Measures in a few seconds what each device can do, whatever runs on it: matrix "
               "products, convolution, attention, memory, transfers.",
               "sdbench probe");
  const auto* device = add_text_option(app, "--device", "NAMES",
                                       "as in 'sdbench run', one after another (auto)", "Options");
  const auto* format = add_text_option(app, "--format", "NAME", "table or json (table)", "Output");
  if (!parse_arguments(app, arguments, streams.out)) {
    return kExitSuccess;
  }
  const std::string form = single_value(format, "table");
  if (form != "table" && form != "json") {
    throw UsageError("--format must be table or json, but is " + in_quotes(form));
  }
  const InterruptGuard interrupt;
  WorkerOptions options;
  options.stop = &interrupt.requested();
  const auto executor = make_executor(options);
  std::vector<ProbedDevice> devices;
  int code = kExitSuccess;
  const auto names =
      names_of(single_value(device, std::string(kAutoDevice)), make_executor, interrupt);
  for (const std::string& name : names) {
    ProbePlace place;
    place.device = name;
    place.cpu_share = cpu_share_of(name, names, usable_cores().size());
    ProbedDevice probed(name, streams);
    const CellOutcome outcome = executor->probe(place, probed);
    if (interrupt.requested()) {
      break;
    }
    if (outcome.status != Status::kOk) {
      streams.say(name + ": " + outcome.message);
      code = exit_code(outcome.status);
    }
    if (probed.has_figures()) {
      devices.push_back(std::move(probed));
    }
  }
  if (form == "json") {
    const nlohmann::ordered_json list = mapped(devices, &ProbedDevice::json);
    streams.out << list.dump(2) << "\n";
  } else if (!devices.empty()) {
    streams.out << streams.shown(table_of(devices, streams.screen()));
  }
  return interrupt.requested() ? interrupt.exit_code() : code;
}

} // namespace sdbench

#include "sdbench/front/cli/parallel_progress.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>

#include "sdbench/base/core/cell_stage.h"
#include "sdbench/base/core/escape.h"
#include "sdbench/base/device/device_info.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/front/cli/streams.h"

namespace sdbench {

/// One device's ear.
class ParallelProgress::Part final : public ExecutorObserver {
public:
  Part(ParallelProgress& whole, Place& place) : whole_(whole), place_(place) {}

  void on_stage(CellStage stage) override {
    place_.stage = stage;
    place_.steps = 0;
    whole_.logger_->debug("stage      {}: {}", place_.device, name_of(stage));
    whole_.show();
  }
  void on_device(const DeviceInfo& device) override {
    if (whole_.said_.insert(device.name).second) {
      whole_.line_.clear();
      whole_.logger_->info("device     {}: {}", place_.device, one_line(device.name));
    }
  }
  void on_step(std::int64_t run, std::int64_t step, std::int64_t steps, double seconds) override {
    place_.run = run;
    place_.done = step + 1;
    place_.steps = steps;
    place_.seconds = seconds * static_cast<double>(step + 1);
    whole_.show();
  }
  void on_worker_words(std::string_view line) override {
    if (whole_.logger_->should_log(spdlog::level::debug)) {
      whole_.line_.clear();
      whole_.logger_->debug("worker     {}: {}", place_.device, line);
    }
  }
  void on_note(std::string_view text) override {
    if (whole_.said_.insert(std::string(text)).second) {
      whole_.line_.clear();
      whole_.logger_->warn("note       {}: {}", place_.device, text);
    }
  }

private:
  ParallelProgress& whole_;
  Place& place_;
};

ParallelProgress::ParallelProgress(const Cell& whole, std::shared_ptr<spdlog::logger> logger,
                                   std::ostream& err, LiveTerminal terminal, std::string prefix,
                                   std::set<std::string>& said)
    : logger_(std::move(logger)), line_(err, terminal), prefix_(std::move(prefix)), said_(said),
      titles_(whole) {
  for (const std::string& device : whole.parallel_devices) {
    places_.push_back({device});
  }
  for (Place& place : places_) {
    parts_.push_back(std::make_unique<Part>(*this, place));
  }
}

ParallelProgress::~ParallelProgress() = default;

std::vector<ExecutorObserver*> ParallelProgress::observers() const {
  std::vector<ExecutorObserver*> observers;
  std::ranges::transform(parts_, std::back_inserter(observers),
                         [](const std::unique_ptr<Part>& part) { return part.get(); });
  return observers;
}

void ParallelProgress::show() {
  const std::string title = common_title();
  if (title.empty()) {
    line_.show(prefix_ + places_text());
    return;
  }
  Place sum;
  for (const Place& place : places_) {
    if (place.stage == CellStage::kEnded) {
      continue;
    }
    sum.done += place.done;
    sum.steps += place.steps;
    sum.seconds = std::max(sum.seconds, place.seconds);
  }
  line_.show_bar(prefix_ + title, sum.done, sum.steps, sum.seconds);
}

std::string ParallelProgress::common_title() const {
  const auto first = std::ranges::find_if(
      places_, [](const Place& place) { return place.stage != CellStage::kEnded; });
  const bool together =
      first != places_.end() && std::ranges::all_of(places_, [&](const Place& place) {
        return place.stage == CellStage::kEnded ||
               (place.steps > 0 && place.stage == first->stage && place.run == first->run);
      });
  if (!together) {
    return {};
  }
  return titles_.of_run(first->stage, first->run);
}

std::string ParallelProgress::places_text() const {
  std::string text;
  for (const Place& place : places_) {
    text += (text.empty() ? "" : ", ") + place.device + " " + titles_.of_stage(place.stage);
    if (place.steps > 0) {
      text += " " + std::to_string(place.done) + "/" + std::to_string(place.steps);
    }
  }
  return text + " ...";
}

} // namespace sdbench

#include "sdbench/front/progress/parallel_progress.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "sdbench/base/device/device_info.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// Observes one device.
class ParallelProgress::Part final : public ExecutorObserver {
public:
  Part(ParallelProgress& whole, Place& place) : whole_(whole), place_(place) {}

  void on_event(const CellEvent& event) override {
    std::visit([this](const auto& one) { hear(one); }, event);
  }

private:
  template <typename Event>
  void hear(const Event& /*of no interest*/) {}
  void hear(const StageEvent& event) {
    place_.stage = event.stage;
    place_.steps = 0;
    whole_.logger_->debug("stage      {}: {}", place_.device, name_of(event.stage));
    whole_.show();
  }
  void hear(const DeviceEvent& event) {
    if (whole_.said_.insert(event.device.name).second) {
      whole_.line_.clear();
      whole_.logger_->info("device     {}: {}", place_.device, one_line(event.device.name));
    }
  }
  void hear(const StepEvent& event) {
    place_.run = event.run;
    place_.done = event.step + 1;
    place_.steps = event.steps;
    place_.seconds = event.seconds * static_cast<double>(event.step + 1);
    whole_.show();
  }
  void hear(const WorkerWordsEvent& event) {
    if (whole_.logger_->should_log(spdlog::level::debug)) {
      whole_.line_.clear();
      whole_.logger_->debug("worker     {}: {}", place_.device, event.line);
    }
  }
  void hear(const NoteEvent& event) {
    if (whole_.said_.insert(event.text).second) {
      whole_.line_.clear();
      whole_.logger_->warn("note       {}: {}", place_.device, event.text);
    }
  }

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
  return mapped<ExecutorObserver*>(parts_,
                                   [](const std::unique_ptr<Part>& part) { return part.get(); });
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

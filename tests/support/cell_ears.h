#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sdbench/base/executor/executor.h"
#include "sdbench/base/types/cell_stage.h"
#include "sdbench/engine/worker/torch_executor.h"
#include "tiny_cell.h"

namespace sdbench::test {

/// Hears what an executor tells of a cell.
struct Ears final : ExecutorObserver {
  std::vector<std::string> stages;
  std::vector<std::string> notes;
  std::int64_t steps = 0;
  std::int64_t last_of_steps = 0;
  int loaded = 0;
  int first_images = 0;
  int samples = 0;
  std::atomic<bool>* stop_at_first_sample = nullptr;

  void on_event(const CellEvent& event) override {
    std::visit([this](const auto& one) { hear(one); }, event);
  }

private:
  template <typename Event>
  void hear(const Event& /*of no interest*/) {}
  void hear(const StageEvent& event) { stages.emplace_back(name_of(event.stage)); }
  void hear(const LoadedEvent& /*event*/) { ++loaded; }
  void hear(const NoteEvent& event) { notes.push_back(event.text); }
  void hear(const StepEvent& event) {
    ++steps;
    last_of_steps += event.step + 1 == event.steps ? 1 : 0;
  }
  void hear(const SampleEvent& event) {
    ++(event.first_image ? first_images : samples);
    if (!event.first_image && stop_at_first_sample != nullptr) {
      *stop_at_first_sample = true;
    }
  }
};

/// A cell alone, by an executor of its own.
[[nodiscard]] inline CellOutcome run(const Cell& cell, Ears& ears) {
  return TorchExecutor().run(cell, ears);
}

[[nodiscard]] inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace sdbench::test

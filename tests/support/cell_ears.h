#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/core/cell_stage.h"
#include "sdbench/base/executor/executor.h"
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

  void on_stage(CellStage stage) override { stages.emplace_back(name_of(stage)); }
  void on_loaded(const CellResult&) override { ++loaded; }
  void on_note(std::string_view text) override { notes.emplace_back(text); }
  void on_step(std::int64_t, std::int64_t step, std::int64_t all, double) override {
    ++steps;
    last_of_steps += step + 1 == all ? 1 : 0;
  }
  void on_sample(bool first_image, const RunSample&) override {
    ++(first_image ? first_images : samples);
    if (!first_image && stop_at_first_sample != nullptr) {
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

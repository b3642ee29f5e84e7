#include "sdbench/front/telemetry/nvml_with_timeouts.h"

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <set>
#include <utility>

#include "answer_thread.h"
#include "nvml_reader.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/numbers/number_text.h"

namespace sdbench {
namespace {

std::string within(double seconds) {
  return "within " + number_text(seconds) + " s";
}

/// Libraries whose start hung in this program, so that later callers do not wait again.
class HangingLibraries {
public:
  void add(const std::string& library) {
    const std::lock_guard lock(mutex_);
    names_.insert(library);
  }
  [[nodiscard]] bool contains(const std::string& library) {
    const std::lock_guard lock(mutex_);
    return names_.contains(library);
  }

private:
  std::mutex mutex_;
  std::set<std::string> names_;
};

HangingLibraries& hanging_libraries() {
  static HangingLibraries libraries;
  return libraries;
}

[[noreturn]] void refuse_silent(const std::string& library, double seconds) {
  throw Error("NVML must start " + within(seconds) + ", but " + library +
              " gives no answer; see whether nvidia-smi answers, else restart the machine");
}

/// Result of opening the library. Shared with a thread that may be left behind.
struct Opened {
  std::shared_ptr<nvml::Reader> reader;
  std::string problem;
};

} // namespace

Nvml::Nvml(const std::string& library, const NvmlPatience& patience)
    : patience_(patience), thread_(std::make_unique<AnswerThread>()) {
  if (hanging_libraries().contains(library)) {
    refuse_silent(library, patience.start_s);
  }
  const auto opened = std::make_shared<Opened>();
  const auto open = [opened, library] {
    try {
      opened->reader = std::make_shared<nvml::Reader>(library);
    } catch (const Error& error) {
      opened->problem = error.what();
    }
  };
  if (!thread_->run(open, std::chrono::duration<double>(patience.start_s))) {
    hanging_libraries().add(library);
    refuse_silent(library, patience.start_s);
  }
  if (!opened->reader) {
    throw Error(opened->problem);
  }
  reader_ = std::move(opened->reader);
}

/// Unloads the library in its thread, because that may also hang.
Nvml::~Nvml() {
  if (thread_ && reader_) {
    static_cast<void>(
        thread_->run([reader = std::exchange(reader_, nullptr)]() mutable { reader.reset(); },
                     std::chrono::duration<double>(patience_.answer_s)));
  }
}

template <typename Question>
auto Nvml::ask(const Question& question) const {
  using Answer = decltype(question(*reader_));
  const auto answer = std::make_shared<std::optional<Answer>>();
  const bool in_time =
      thread_->run([reader = reader_, answer, question] { *answer = question(*reader); },
                   std::chrono::duration<double>(patience_.answer_s));
  if (!in_time) {
    reader_->was_late = true;
    return std::optional<Answer>();
  }
  return std::move(*answer);
}

std::string Nvml::take_problem() const {
  return reader_->was_late.exchange(false) ? "NVML gave no answer " + within(patience_.answer_s) +
                                                 "; see whether nvidia-smi answers"
                                           : "";
}

std::vector<GpuFacts> Nvml::facts() const {
  if (auto facts = ask([](const nvml::Reader& reader) { return reader.facts(); })) {
    return *std::move(facts);
  }
  std::vector<GpuFacts> silent(reader_->gpu_count());
  for (std::size_t i = 0; i < silent.size(); ++i) {
    silent[i].index = i;
    silent[i].problem = "NVML gave no answer " + within(patience_.answer_s);
  }
  return silent;
}

std::vector<GpuReading> Nvml::read() const {
  return ask([](nvml::Reader& reader) { return reader.read(); })
      .value_or(std::vector<GpuReading>(reader_->gpu_count()));
}

std::optional<GpuProcessIds> Nvml::processes(std::size_t gpu) const {
  return ask([gpu](const nvml::Reader& reader) { return reader.processes(gpu); })
      .value_or(std::nullopt);
}

std::unique_ptr<Nvml> open_nvml(std::string& problem, const NvmlPatience& patience) {
  const char* const chosen = std::getenv("SDBENCH_NVML");
  const std::string library = chosen == nullptr ? "libnvidia-ml.so.1" : chosen;
  if (library.empty()) {
    return nullptr;
  }
  try {
    return std::make_unique<Nvml>(library, patience);
  } catch (const Error& error) {
    problem = error.what();
    return nullptr;
  }
}

std::vector<GpuFacts> nvml_gpus() {
  std::string problem;
  const auto nvml = open_nvml(problem);
  return nvml ? nvml->facts() : std::vector<GpuFacts>();
}

} // namespace sdbench

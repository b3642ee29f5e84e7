#include "sdbench/front/telemetry/nvml.h"

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <set>
#include <utility>

#include "answer_thread.h"
#include "nvml_library.h"
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
  std::shared_ptr<nvml::Library> library;
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
      opened->library = std::make_shared<nvml::Library>(library);
    } catch (const Error& error) {
      opened->problem = error.what();
    }
  };
  if (!thread_->run(open, std::chrono::duration<double>(patience.start_s))) {
    hanging_libraries().add(library);
    refuse_silent(library, patience.start_s);
  }
  if (!opened->library) {
    throw Error(opened->problem);
  }
  library_ = std::move(opened->library);
}

/// Unloads the library in its thread, because that may also hang.
Nvml::~Nvml() {
  if (thread_ && library_) {
    static_cast<void>(
        thread_->run([library = std::exchange(library_, nullptr)]() mutable { library.reset(); },
                     std::chrono::duration<double>(patience_.answer_s)));
  }
}

template <typename Question>
auto Nvml::ask(const Question& question) const {
  using Answer = decltype(question(*library_));
  const auto answer = std::make_shared<std::optional<Answer>>();
  const bool in_time =
      thread_->run([library = library_, answer, question] { *answer = question(*library); },
                   std::chrono::duration<double>(patience_.answer_s));
  if (!in_time) {
    library_->was_late = true;
    return std::optional<Answer>();
  }
  return std::move(*answer);
}

std::string Nvml::take_problem() const {
  return library_->was_late.exchange(false) ? "NVML gave no answer " + within(patience_.answer_s) +
                                                  "; see whether nvidia-smi answers"
                                            : "";
}

std::vector<GpuFacts> Nvml::facts() const {
  if (auto facts = ask([](const nvml::Library& library) { return library.facts(); })) {
    return *std::move(facts);
  }
  std::vector<GpuFacts> silent(library_->gpu_count());
  for (std::size_t i = 0; i < silent.size(); ++i) {
    silent[i].index = i;
    silent[i].problem = "NVML gave no answer " + within(patience_.answer_s);
  }
  return silent;
}

std::vector<GpuReading> Nvml::read() const {
  return ask([](const nvml::Library& library) { return library.read(); })
      .value_or(std::vector<GpuReading>(library_->gpu_count()));
}

std::optional<GpuProcessIds> Nvml::processes(std::size_t gpu) const {
  return ask([gpu](const nvml::Library& library) { return library.processes(gpu); })
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

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <variant>
#include <vector>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/messages.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/types/dtype.h"
#include "sdbench/base/types/status.h"
#include "sdbench/base/weights/locate.h"
#include "sdbench/front/bench/worker_process.h"
#include "sdbench/front/commands/commands.h"
#include "sdbench/front/inventory/choose_worker.h"
#include "sdbench/front/options/arguments.h"
#include "sdbench/front/terminal/exit_code.h"
#include "sdbench/front/terminal/interrupt.h"
#include "sdbench/front/terminal/log.h"
#include "sdbench/front/terminal/streams.h"

namespace sdbench {
namespace {

constexpr const char* kExample =
    "Example:\n  sdbench export-weights --model sd15 --weights synthetic:0 -o sd15-synthetic\n"
    "Any tool that reads diffusers folders can then be measured on the very same network.";

/// The folder to write. Made if missing, and removed at the end if it is still empty.
class TargetFolder {
public:
  explicit TargetFolder(const std::string& name);
  ~TargetFolder() {
    std::error_code not_empty; // expected after an export that ended well
    if (made_) {
      std::filesystem::remove(path_, not_empty);
    }
  }
  TargetFolder(const TargetFolder&) = delete;
  TargetFolder& operator=(const TargetFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
  bool made_ = false;
};

/// Requires a new or empty folder, because weights are read together with all files beside them.
TargetFolder::TargetFolder(const std::string& name) : path_(name) {
  if (name.empty()) {
    throw UsageError("--output must name the folder to write; add -o FOLDER");
  }
  if (std::filesystem::exists(path_) &&
      (!std::filesystem::is_directory(path_) || !std::filesystem::is_empty(path_))) {
    throw Error("--output must be a new or empty folder, but " + in_quotes(name) +
                " holds something; name another");
  }
  std::error_code failure;
  made_ = std::filesystem::create_directories(path_, failure);
  if (failure) {
    throw Error("cannot make the folder " + in_quotes(name) + ": " + failure.message());
  }
}

std::uint64_t synthetic_seed(const std::string& asked) {
  if (!asked.starts_with("synthetic")) {
    throw UsageError("--weights must be synthetic or synthetic:SEED here, but is " +
                     in_quotes(asked) + "; real weights need no export");
  }
  return locate_weights(asked, {}, "").seed;
}

Dtype checked_dtype(const std::string& name) {
  const std::optional<Dtype> dtype = compute_dtype_from_name(name);
  if (!dtype) {
    throw UsageError("--dtype must be fp32, fp16 or bf16, but is " + in_quotes(name));
  }
  return *dtype;
}

/// Logs the worker's output, if the log level is high enough.
class WorkerWords final : public ExecutorObserver {
public:
  explicit WorkerWords(spdlog::logger& logger) : logger_(logger) {}
  void on_event(const CellEvent& event) override {
    if (const auto* const words = std::get_if<WorkerWordsEvent>(&event)) {
      logger_.debug("worker     {}", words->line);
    }
  }

private:
  spdlog::logger& logger_;
};

} // namespace

int export_command(const std::vector<std::string>& arguments, const Streams& streams) {
  CLI::App app("Writes synthetic weights as a diffusers folder: configs, tokenizer and tensors.",
               "sdbench export-weights");
  app.footer(kExample);
  const std::string group = "Options";
  const auto* model =
      add_text_option(app, "-m,--model", "NAME|PATH", "as in 'sdbench run' (sd15)", group);
  const auto* weights = add_text_option(app, "--weights", "synthetic[:SEED]",
                                        "the seed of the values (synthetic:0)", group);
  const auto* dtype = add_text_option(app, "--dtype", "NAME", "fp32, fp16 or bf16 (fp32)", group);
  const auto* output =
      add_text_option(app, "-o,--output", "FOLDER", "a new or empty folder", group);
  const auto* verbose = add_flag(app, "-v,--verbose", "print more", "Other");
  const auto* quiet = add_flag(app, "-q,--quiet", "only warnings and errors", "Other");
  if (!parse_arguments(app, arguments, streams.out)) {
    return kExitSuccess;
  }
  messages::ExportRequest request;
  request.model = find_model_config(single_value(model, "sd15"));
  request.seed = synthetic_seed(single_value(weights, "synthetic:0"));
  request.dtype = checked_dtype(single_value(dtype, "fp32"));
  const TargetFolder folder(single_value(output, ""));
  request.folder = folder.path();

  const InterruptGuard interrupt;
  WorkerOptions options;
  options.stop = &interrupt.requested();
  const auto logger =
      make_logger(streams.err, quiet->count() > 0 ? -1 : static_cast<int>(verbose->count() > 0),
                  streams.err_terminal);
  WorkerWords words(*logger);
  const CellOutcome outcome = make_worker_executor(options)->export_weights(request, words);
  if (outcome.status != Status::kOk) {
    streams.say(outcome.message);
    return interrupt.requested() ? interrupt.exit_code() : exit_code(outcome.status);
  }
  logger->info("wrote {}", request.folder);
  return kExitSuccess;
}

} // namespace sdbench

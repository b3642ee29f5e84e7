#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "replaced_files.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/run_dump.h"
#include "sdbench/base/files/own_file.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/types/status.h"
#include "sdbench/front/bench/environment.h"
#include "sdbench/front/bench/sweep_runner.h"
#include "sdbench/front/bench/worker_process.h"
#include "sdbench/front/commands/commands.h"
#include "sdbench/front/commands/quality_text.h"
#include "sdbench/front/inventory/engines_here.h"
#include "sdbench/front/options/quality_arguments.h"
#include "sdbench/front/progress/progress.h"
#include "sdbench/front/quality/quality_files.h"
#include "sdbench/front/quality/quality_row.h"
#include "sdbench/front/quality/study_pictures.h"
#include "sdbench/front/quality/study_plan.h"
#include "sdbench/front/quality/study_run.h"
#include "sdbench/front/record/build_record.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/sink/say.h"
#include "sdbench/front/sink/sink_set.h"
#include "sdbench/front/terminal/exit_code.h"
#include "sdbench/front/terminal/interrupt.h"
#include "sdbench/front/terminal/log.h"
#include "sdbench/front/terminal/streams.h"

namespace sdbench {
namespace {

bool is_ok(const RunRecord& record) {
  return record.status == name_of(Status::kOk);
}

/// True if the user interrupted the row's run, which needs no error message.
bool was_interrupted(const RunRecord& record) {
  return record.status == name_of(Status::kInterrupted);
}

/// Passes a study's results on, as they come, to records, figures, pictures and the log.
class StudyOutputs final : public StudyObserver {
public:
  struct Targets {
    SinkSet& records;
    QualityFiles& rows;
    StudyPictures* pictures; ///< may be null
  };

  StudyOutputs(const Study& study, Targets targets, std::shared_ptr<spdlog::logger> logger,
               std::ostream& err, LiveTerminal terminal)
      : study_(study), targets_(targets), logger_(std::move(logger)), err_(err),
        terminal_(terminal) {}

  ExecutorObserver& on_cell(const StudyCell& cell) override {
    const std::string place =
        "[" + std::to_string(++begun_) + "/" + std::to_string(study_.candidates.size() + 1) + "] ";
    logger_->info("{}{}", place, cell.words);
    progress_.emplace(cell.cell, logger_, err_, terminal_, Progress::Brief{place, said_});
    return *progress_;
  }

  void on_missing_step_images(const StudyCell& cell, const std::string& why) override {
    progress_.reset();
    logger_->warn("sdbench: {}: images after steps are missing: {}", cell.words, why);
  }

  void on_reference(const StudyCell& cell, const RunRecord& /*record*/,
                    const RunDump& run) override {
    progress_.reset(); // wipes the bar
    if (targets_.pictures != nullptr) {
      targets_.pictures->add_reference(cell, run);
      draw([&] { StudyPictures::write_steps(cell, run); });
    }
  }

  void on_candidate(const StudyCell& cell, const CandidateResult& result,
                    const RunDump* run) override {
    progress_.reset();
    if (!is_ok(result.record) && !was_interrupted(result.record)) {
      logger_->error("sdbench: {}: {}: {}", cell.words, result.record.status, result.record.error);
    }
    targets_.records.write(result.record);
    targets_.rows.write(quality_rows(study_, cell, result));
    if (run != nullptr && targets_.pictures != nullptr) {
      draw([&] { targets_.pictures->add_candidate(cell, result, *run); });
      draw([&] { StudyPictures::write_steps(cell, *run); });
    }
  }

  /// Removes the progress bar, so that the next message has a line of its own.
  void wipe_bar() { progress_.reset(); }

  void finish_pictures() {
    if (targets_.pictures != nullptr) {
      draw([&] {
        logger_->info("saved      {}", targets_.pictures->write_contact_sheet().string());
      });
    }
  }
  [[nodiscard]] bool all_drawn() const { return all_drawn_; }

private:
  /// Logs an Error, so that a picture that a full disk refuses does not lose the figures.
  template <typename Draw>
  void draw(const Draw& draw_it) {
    try {
      draw_it();
    } catch (const Error& error) {
      all_drawn_ = false;
      logger_->error("sdbench: {}", error.what());
    }
  }

  const Study& study_;
  Targets targets_;
  std::shared_ptr<spdlog::logger> logger_;
  std::ostream& err_;
  LiveTerminal terminal_;
  std::size_t begun_ = 0;
  std::set<std::string> said_;
  std::optional<Progress> progress_;
  bool all_drawn_ = true;
};

std::vector<std::filesystem::path> record_files(const QualityArguments& parsed,
                                                const std::string& host) {
  return parsed.records.empty() && !parsed.no_save ? default_outputs(host) : parsed.records;
}

/// Refuses outputs that hold anything. A folder with a contact sheet holds the pictures of a study.
void refuse_losses(const QualityArguments& parsed) {
  refuse_lost_study(parsed.outputs);
  refuse_lost_rows(parsed.records, false);
  std::error_code not_there;
  if (!parsed.save_images.empty() &&
      std::filesystem::exists(parsed.save_images / StudyPictures::kContactSheet, not_there)) {
    refuse_loss(parsed.save_images, "the pictures of a study", "name another folder");
  }
}

/// kExitMissed if a limit is missed, else the code of a sweep of the candidates.
int study_exit_code(const Study& study, const StudyResult& result, const QualityLimits& limits,
                    const Streams& streams) {
  SweepTally tally;
  bool missed = false;
  for (std::size_t i = 0; i < result.candidates.size(); ++i) {
    const CandidateResult& candidate = result.candidates[i];
    ++(is_ok(candidate.record) ? tally.ok : tally.not_ok);
    tally.interrupted = tally.interrupted || was_interrupted(candidate.record);
    if (const std::string words = missed_limits(candidate, limits); !words.empty()) {
      missed = true;
      streams.out << "MISSED by " << study.candidates[i].words << ": " << words << "\n";
    }
  }
  const bool has_limit = limits.min_psnr_db || limits.min_ssim;
  if (has_limit && !missed && tally.ok > 0) {
    streams.out << "The limits are kept by "
                << (tally.not_ok == 0 ? "all candidates" : "what did not fail") << ".\n";
  }
  return missed && !tally.interrupted ? kExitMissed : exit_code(tally);
}

} // namespace

int quality_command(const std::vector<std::string>& arguments, const Streams& streams,
                    const ExecutorFactory& make_executor) {
  AllEngines all_engines(make_executor);
  std::optional<QualityArguments> parsed = parse_quality_arguments(
      arguments, streams.out, [&](const std::string& device) { return all_engines.on(device); });
  if (!parsed) {
    return kExitSuccess;
  }
  const auto logger = make_logger(streams.err, parsed->verbosity, streams.err_terminal);
  all_engines.say(*logger);
  const Say say = [&](const std::string& text) { logger->warn("output     {}", text); };
  if (!parsed->overwrite) {
    refuse_losses(*parsed);
  }
  if (parsed->dry_run) {
    streams.out << streams.shown(study_plan_text(parsed->study, streams.screen()));
    return kExitSuccess;
  }
  QualityFiles rows(parsed->outputs, say);
  std::optional<StudyPictures> pictures;
  if (!parsed->save_images.empty()) {
    pictures.emplace(parsed->study, parsed->save_images, parsed->amplify);
  }
  const InterruptGuard interrupt;
  WorkerOptions worker;
  worker.timeout_s = parsed->timeout_s;
  worker.stop = &interrupt.requested();
  const std::unique_ptr<Executor> executor = make_executor(worker);
  RecordContext context = current_context();
  context.sweep_id = random_id();
  context.runtime_version = worker.program.libtorch_version;
  context.label = parsed->label;
  context.note = parsed->note;
  context.tags = parsed->tags;
  const auto files = record_files(*parsed, context.host);
  SinkSet records(files, say);

  StudyOutputs outputs(parsed->study, {records, rows, pictures ? &*pictures : nullptr}, logger,
                       streams.err, streams.live_terminal(parsed->verbosity));
  const StudyResult result = run_study(parsed->study, *executor, context, outputs);
  outputs.wipe_bar();
  if (was_interrupted(result.reference)) {
    logger->warn("interrupted before the reference had its pictures: nothing is compared");
    return interrupt.exit_code();
  }
  if (!is_ok(result.reference)) {
    logger->error("sdbench: the reference ({}) must give pictures, but ended as {}: {}",
                  parsed->study.reference.words, result.reference.status, result.reference.error);
    return exit_code(status_from_name(result.reference.status).value());
  }
  if (interrupt.requested()) {
    const auto whole = std::ranges::count_if(
        result.candidates, [](const auto& candidate) { return !candidate.images.empty(); });
    logger->warn("interrupted: {} of {} candidates are compared", whole,
                 parsed->study.candidates.size());
  }
  streams.out << streams.shown(quality_text(parsed->study, result, streams.screen()));
  outputs.finish_pictures();
  const int code = study_exit_code(parsed->study, result, parsed->limits, streams);
  const bool all_saved = records.finish() && rows.all_written() && outputs.all_drawn();
  say_saved(*logger, rows.saved());
  say_saved(*logger, records.saved());
  if (interrupt.requested()) {
    return interrupt.exit_code();
  }
  return all_saved ? code : kExitFailure;
}

} // namespace sdbench

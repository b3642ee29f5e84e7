#include "sdbench/front/progress/sweep_progress.h"

#include <utility>

#include "sdbench/base/executor/executor.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/status.h"
#include "sdbench/front/record/build_record.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/terminal/streams.h"
#include "sdbench/front/words/sweep_table.h"

namespace sdbench {

SweepProgress::SweepProgress(std::optional<std::size_t> steps, SinkSet& sinks,
                             std::shared_ptr<spdlog::logger> logger, std::ostream& err,
                             LiveTerminal terminal, std::vector<std::string> apart)
    : steps_(steps), sinks_(sinks), logger_(std::move(logger)), err_(err), terminal_(terminal),
      apart_(std::move(apart)) {}

ExecutorObserver& SweepProgress::on_cell(const Cell& cell) {
  if (is_sweep()) {
    cell_.emplace(cell, logger_, err_, terminal_, Progress::Brief{place() + " ", said_});
  } else {
    cell_.emplace(cell, logger_, err_, terminal_);
  }
  return *cell_;
}

std::vector<ExecutorObserver*> SweepProgress::on_parallel_cell(const Cell& whole) {
  parallel_cell_.emplace(whole, logger_, err_, terminal_, place() + " ", said_);
  return parallel_cell_->observers();
}

void SweepProgress::on_record(const RunRecord& record) {
  cell_.reset(); // wipes the bar
  parallel_cell_.reset();
  // Failures are printed with -q, too, because the row may only go to a file.
  const bool is_good =
      record.status == name_of(Status::kOk) || record.status == name_of(Status::kSkipped);
  if (is_sweep()) {
    logger_->log(is_good ? spdlog::level::info : spdlog::level::err, "{} {}: {}", place(),
                 words_of(record), outcome_words(record));
  } else if (!is_good) {
    logger_->error("sdbench: {}: {}", record.status, record.error);
  }
  if (record.parallel_role != kRoleDevice) { // a team's step ends with the sum
    ++step_;
  }
  sinks_.write(record);
}

void SweepProgress::on_resumed(const Cell& cell, Status earlier) {
  logger_->info("{} {}: {} in the outputs already{}", place(), words_of(build_record(cell, {}, {})),
                name_of(earlier), earlier == Status::kOk ? "" : "; --retry-failed tries it again");
  ++step_;
}

void SweepProgress::on_cooldown(double seconds) {
  logger_->debug("cooldown   {}", time_text(seconds));
}

void SweepProgress::on_quiet_wait(const std::string& text) {
  logger_->warn("waiting    {}", text);
}

std::string SweepProgress::words_of(const RunRecord& record) const {
  return cell_words(record) + (step_ <= apart_.size() ? apart_[step_ - 1] : "");
}

std::string SweepProgress::place() const {
  const std::string number = std::to_string(step_);
  if (!steps_) {
    return "[" + number + "]";
  }
  const std::string total = std::to_string(*steps_);
  return "[" + std::string(total.size() - number.size(), ' ') + number + "/" + total + "]";
}

} // namespace sdbench

#include "sdbench/front/sink/sink_set.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <map>
#include <system_error>
#include <utility>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/atomic_file.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/front/record/raw_times.h"
#include "sdbench/front/results/strict_rows.h"
#include "sdbench/front/sink/file_sinks.h"
#include "sdbench/front/sink/record_format.h"

namespace sdbench {
namespace {

const std::filesystem::path kDefaultFolder = "sdbench-results";

/// The file that is written, at the end of all links. It need not exist yet.
std::filesystem::path target_of(const std::filesystem::path& file) {
  constexpr int kMostLinks = 40; // the kernel's own limit
  std::filesystem::path target = std::filesystem::absolute(file);
  std::error_code no_link;
  for (int i = 0; i < kMostLinks && std::filesystem::is_symlink(target, no_link); ++i) {
    target = target.parent_path() / std::filesystem::read_symlink(target, no_link);
  }
  std::error_code goes_round;
  const std::filesystem::path plain = std::filesystem::weakly_canonical(target, goes_round);
  return goes_round ? target : plain;
}

void refuse_repetition(const std::vector<std::filesystem::path>& files) {
  std::vector<std::filesystem::path> seen;
  for (const auto& file : files) {
    const std::filesystem::path target = target_of(file);
    const auto is_target = [&](const std::filesystem::path& other) {
      std::error_code missing;
      return other == target || std::filesystem::equivalent(other, target, missing);
    };
    if (std::ranges::any_of(seen, is_target)) {
      throw UsageError("--output must name each file once, but names " + file.string() + " twice");
    }
    seen.push_back(target);
  }
}

/// Folders to try, in this order, for the rows of a run if no output file has all of them.
std::vector<std::filesystem::path> last_folders() {
  std::vector<std::filesystem::path> folders;
  const auto add = [&](const char* folder) {
    if (folder != nullptr && *folder != 0 && std::ranges::count(folders, folder) == 0) {
      folders.emplace_back(folder);
    }
  };
  add(std::getenv("TMPDIR"));
  add("/tmp");
  add(std::getenv("HOME"));
  add(".");
  return folders;
}

} // namespace

SinkSet::SinkSet(const std::vector<std::filesystem::path>& files, Say say) : say_(std::move(say)) {
  for (const auto& file : files) {
    (void)format_by_extension(file); // refuses a wrong name before any file is made
  }
  refuse_repetition(files);
  for (const auto& file : files) {
    Output output;
    output.sink = open_file_sink(file, say_);
    output.file = file;
    output.place = std::filesystem::absolute(file);
    outputs_.push_back(std::move(output));
  }
}

void SinkSet::add(std::unique_ptr<RecordSink> sink) {
  outputs_.push_back({std::move(sink), {}, {}, records_.size(), ""});
}

void SinkSet::resume() {
  std::map<std::string, std::size_t> places;
  std::vector<std::set<std::string>> run_ids; // of each output
  for (const Output& output : outputs_) {
    run_ids.emplace_back();
    for (const RunRecord& record : read_records({output.file})) {
      run_ids.back().insert(record.run_id);
      const auto [place, is_new] = places.try_emplace(record.run_id, records_.size());
      if (is_new) {
        records_.push_back(record);
      } else if (!has_raw_times(records_[place->second])) {
        records_[place->second] = record;
      }
    }
  }
  earlier_ = records_.size();
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    give_missing(outputs_[i], run_ids[i]);
  }
}

void SinkSet::give_missing(Output& output, const std::set<std::string>& run_ids) {
  output.taken = earlier_;
  if (output.file.empty() || run_ids.size() == earlier_) {
    return;
  }
  if (format_by_extension(output.file).row == nullptr) {
    output.taken = 0; // is rewritten with the next record or at the end
    return;
  }
  std::vector<RunRecord> missing;
  std::ranges::copy_if(records_, std::back_inserter(missing),
                       [&](const RunRecord& record) { return !run_ids.contains(record.run_id); });
  output.sink->write(missing, 0);
  say_(output.sink->name() + " got " + counted(static_cast<std::int64_t>(missing.size()), "row") +
       " that another output had");
}

void SinkSet::write(const RunRecord& record) {
  records_.push_back(record);
  std::ranges::for_each(outputs_, [this](Output& output) { bring_up(output); });
}

void SinkSet::bring_up(Output& output) {
  const std::size_t kept = records_.size() - output.taken;
  try {
    output.sink->write(records_, output.taken);
    output.taken = records_.size();
    if (!std::exchange(output.trouble, "").empty()) {
      say_(output.sink->name() + " can be written again: it got " +
           counted(static_cast<std::int64_t>(kept), "row") + " that had been kept");
    }
  } catch (const Error& error) {
    if (std::exchange(output.trouble, error.what()) != error.what()) {
      say_(output.trouble + "; its rows are kept and tried again with each next row");
    }
  }
}

bool SinkSet::finish() {
  const auto complete = [this](const Output& output) { return output.taken == records_.size(); };
  for (Output& output : outputs_) {
    if (!complete(output)) {
      bring_up(output);
    }
    if (!complete(output)) {
      say_(output.sink->name() + " lacks " +
           counted(static_cast<std::int64_t>(records_.size() - output.taken), "row") +
           " of this run: " + output.trouble);
    }
  }
  const auto is_file = [](const Output& output) { return !output.file.empty(); };
  if (std::ranges::any_of(outputs_, is_file) &&
      std::ranges::none_of(
          outputs_, [&](const Output& output) { return is_file(output) && complete(output); })) {
    rescue();
  }
  return std::ranges::all_of(outputs_, complete);
}

std::vector<std::filesystem::path> SinkSet::saved() const {
  std::vector<std::filesystem::path> files;
  for (const Output& output : outputs_) {
    std::error_code not_there;
    if (output.taken == records_.size() &&
        std::filesystem::is_regular_file(output.place, not_there) &&
        std::filesystem::file_size(output.place, not_there) > 0) {
      files.push_back(output.file);
    }
  }
  return files;
}

/// Saves all rows of this run in the first of last_folders() that can be written.
void SinkSet::rescue() {
  const std::string name = "sdbench-rescued-" + records_.back().run_id + ".jsonl";
  const std::string rows = format_by_name("jsonl").document(new_records());
  std::string reasons;
  for (const std::filesystem::path& folder : last_folders()) {
    try {
      write_file_atomically(folder / name, rows);
      say_("all rows of this run are in " + (folder / name).string() + "; move it to a safe place");
      return;
    } catch (const Error& error) { // the folder is missing, or full as well
      reasons += (reasons.empty() ? "" : "; ") + std::string(error.what());
    }
  }
  say_("the rows could not be saved anywhere: " + reasons);
}

std::vector<std::filesystem::path> default_output_files(const std::string& host) {
  std::string stem;
  for (const char byte : host) {
    const bool safe = std::isalnum(static_cast<unsigned char>(byte)) != 0 || byte == '-' ||
                      byte == '_' || (byte == '.' && !stem.empty());
    stem += safe ? byte : '_';
  }
  stem = stem.empty() ? "results" : stem;
  return {kDefaultFolder / (stem + ".csv"), kDefaultFolder / (stem + ".jsonl")};
}

std::vector<std::filesystem::path> default_outputs(const std::string& host) {
  std::error_code failure;
  std::filesystem::create_directories(kDefaultFolder, failure);
  if (failure) {
    throw Error("cannot make the folder " + kDefaultFolder.string() + " here: " +
                failure.message() + "; name a file with -o, or leave rows unsaved with --no-save");
  }
  return default_output_files(host);
}

void check_replaceable(const std::filesystem::path& file) {
  // Never committed: the temporary file is removed, and the target stays as it is.
  const AtomicFile probe(file);
}

} // namespace sdbench

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <ostream>
#include <string>
#include <system_error>
#include <vector>

#include "bug_files.h"
#include "sdbench/base/device/host.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/atomic_file.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/front/bench/temporary_folder.h"
#include "sdbench/front/bench/worker_death.h"
#include "sdbench/front/commands/commands.h"
#include "sdbench/front/machine/program_output.h"
#include "sdbench/front/options/arguments.h"
#include "sdbench/front/reproduce/reproduction.h"
#include "sdbench/front/results/merge.h"
#include "sdbench/front/sink/sink_set.h"
#include "sdbench/front/terminal/exit_code.h"
#include "sdbench/front/terminal/streams.h"
#include "sdbench/front/words/text_form.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBugreportDescription =
    R"(Packs what a report of a problem needs: the record with its raw times, the worker's last words, a
command that repeats the cell without weights, versions, nvidia-smi -q, and the kernel's lines about
GPUs, PCI Express and lack of memory. Shows the files and asks before it writes.)";
constexpr const char* kBugreportExamples =
    R"(Examples:
  sdbench bugreport r0123 -o report.tar.gz
  sdbench bugreport r0123 night.jsonl -o report.tar.gz --yes
Names of hosts, users and processes, paths, serial numbers, UUIDs and addresses become [redacted].
Look through the files before you send them.)";

struct BugreportArguments {
  std::string run_id;
  std::vector<fs::path> files;
  fs::path output;
  bool yes = false;
};

/// Refuses an existing file, because sdbench cannot tell whose archive it is.
void check_output(const fs::path& output) {
  const std::string name = output.filename().string();
  if (!name.ends_with(".tar.gz") && !name.ends_with(".tgz")) {
    throw UsageError("--output must end with .tar.gz or .tgz, but is " +
                     in_quotes(output.string()));
  }
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(output, ignored))) {
    throw Error("--output must be a new file, but " + in_quotes(output.string()) +
                " is there; name another");
  }
  check_replaceable(output);
}

std::optional<BugreportArguments>
parse_bugreport_arguments(const std::vector<std::string>& arguments, std::ostream& out) {
  CLI::App app(kBugreportDescription, "sdbench bugreport");
  app.footer(kBugreportExamples);
  const auto* run_id =
      add_text_option(app, "RUN_ID", "ID", "which row; 4 characters suffice", "Record");
  const auto* files = app.add_option(
                             "FILES", [](const CLI::results_t&) { return true; },
                             "result files with the row, or folders of them (sdbench-results)")
                          ->expected(0, CLI::detail::expected_max_vector_size)
                          ->allow_extra_args()
                          ->type_name("")
                          ->group("Record");
  const auto* output =
      add_text_option(app, "-o,--output", "FILE", "the archive: a new .tar.gz file", "Output");
  const auto* yes = add_flag(app, "-y,--yes", "do not ask", "Output");
  if (!parse_arguments(app, arguments, out)) {
    return std::nullopt;
  }
  if (run_id->count() != 1 || output->count() != 1) {
    throw UsageError("bugreport must have one run_id and one file to write; write sdbench "
                     "bugreport RUN_ID -o report.tar.gz");
  }
  BugreportArguments parsed{.run_id = run_id->results().front(),
                            .files = {files->results().begin(), files->results().end()},
                            .output = output->results().front(),
                            .yes = yes->count() > 0};
  if (parsed.files.empty()) {
    parsed.files = {default_output_files("").front().parent_path()};
  }
  check_output(parsed.output);
  return parsed;
}

/// The row from the file that has its raw times.
RunRecord asked_record(const BugreportArguments& asked) {
  Merged merged = merge_record_files(asked.files);
  if (merged.records.empty() && !merged.bad.empty()) {
    throw Error(merged.bad.front().text());
  }
  return row_named(merged.records, asked.run_id, "RUN_ID",
                   asked.files.size() == 1 ? asked.files.front().string() : "FILES");
}

/// The archive's bytes. Its entries belong to user 0, so that no user's name is in them.
std::string archive_of(const std::vector<BugFile>& files, const std::string& folder) {
  const TemporaryFolder place;
  fs::create_directory(place.path() / folder);
  for (const BugFile& file : files) {
    std::ofstream stream(place.path() / folder / file.name, std::ios::binary);
    if (!(stream << file.text << std::flush)) {
      throw Error("cannot write " + (place.path() / folder / file.name).string() +
                  ": the disk may be full; set TMPDIR to another folder");
    }
  }
  constexpr double kLongestS = 60;
  const auto packed =
      program_output({"tar", "--create", "--gzip", "--owner=0", "--group=0", "--numeric-owner",
                      "--directory=" + place.path().string(), folder},
                     kLongestS);
  if (!packed || packed->code != 0) {
    throw Error("tar must pack the files, but " +
                (packed ? "fails: " + last_line(packed->err) : "is not there; install tar"));
  }
  return packed->out;
}

void show_files(const BugFiles& bug, const Streams& streams) {
  std::vector<std::vector<std::string>> rows = {{"FILE", "SIZE"}};
  for (const BugFile& file : bug.files) {
    rows.push_back({file.name, bytes_text(static_cast<std::int64_t>(file.text.size()))});
  }
  streams.out << aligned_text(rows, streams.screen()) << std::flush;
  for (const std::string& reason : bug.left_out) {
    streams.say("left out " + message_line(reason));
  }
}

} // namespace

int bugreport_command(const std::vector<std::string>& arguments, const Streams& streams) {
  const std::optional<BugreportArguments> asked = parse_bugreport_arguments(arguments, streams.out);
  if (!asked) {
    return kExitSuccess;
  }
  const RunRecord record = asked_record(*asked);
  const BugFiles bug = bug_files(record);
  const std::string archive = archive_of(bug.files, "bugreport-" + one_line(record.run_id));
  if (record.host != host_name()) {
    streams.say("the record is of another machine or container, but versions, nvidia-smi and the "
                "kernel's lines are of this one");
  }
  show_files(bug, streams);
  const std::string target = one_line(asked->output.string());
  if (!asked->yes && !can_ask()) {
    throw UsageError("bugreport must have --yes if there is no terminal to ask on, but has not; "
                     "add --yes");
  }
  if (!asked->yes && !says_yes("write these files to " + target + " (" +
                                   bytes_text(static_cast<std::int64_t>(archive.size())) + ")?",
                               streams)) {
    streams.out << "nothing was written\n";
    return kExitSuccess;
  }
  check_output(asked->output); // it may have been made while the question stood
  AtomicFile file(asked->output);
  file.write(archive);
  file.commit_if_new();
  streams.out << "wrote " << target << "\n";
  return kExitSuccess;
}

} // namespace sdbench

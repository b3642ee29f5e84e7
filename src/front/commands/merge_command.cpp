#include <fcntl.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <vector>

#include "replaced_files.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/atomic_file.h"
#include "sdbench/base/files/descriptor.h"
#include "sdbench/base/files/locked_file.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/front/commands/commands.h"
#include "sdbench/front/options/arguments.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/raw_times.h"
#include "sdbench/front/record/record_csv.h"
#include "sdbench/front/record/record_field.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/results/bad_row.h"
#include "sdbench/front/results/merge.h"
#include "sdbench/front/results/record_files.h"
#include "sdbench/front/results/redact.h"
#include "sdbench/front/sink/record_format.h"
#include "sdbench/front/terminal/exit_code.h"
#include "sdbench/front/terminal/log.h"
#include "sdbench/front/terminal/streams.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMergeExamples =
    "Examples:\n"
    "  sdbench merge desk.csv laptop.jsonl server/ -o all.db   # a folder: the result files in it\n"
    "  sdbench merge old.csv -o new.csv                        # in this version's schema\n"
    "  sdbench merge *.jsonl -o shared.jsonl --redact          # what may be published\n"
    "  sdbench merge *.jsonl -o shared.jsonl --redact host,uuid,argv\n\n"
    "--redact keeps only the fields that docs/record.md lists; with NAMES it removes only "
    "these.\n"
    "Host and card get made-up names, and env_id is made without the host.\n";

constexpr const char* kMergeEnd = "\nExit code: 0 all rows are in FILE, 3 some could not be read, "
                                  "1 there are none or FILE\n"
                                  "cannot take them, 2 the command is wrong.";

/// The value of --redact without NAMES.
constexpr const char* kNoNames = "";

struct MergeArguments {
  std::vector<fs::path> files;
  fs::path output;
  std::vector<Redaction> redactions;
  bool overwrite = false;
  int verbosity = 0;
};

/// Reads the NAMES of --redact. CLI11 takes a file behind --redact for them, which is an error
/// here.
std::vector<Redaction> redactions_of(const std::string& names) {
  try {
    return names == kNoNames ? all_redactions() : redactions_named(names);
  } catch (const UsageError&) {
    std::error_code ignored;
    if (!keeps_records(names) && !fs::exists(names, ignored)) {
      throw;
    }
    throw UsageError(
        "--redact must be followed by names or come after the files, but is followed by the file " +
        in_quotes(names) + "; put --redact last, or write --redact=NAMES");
  }
}

std::optional<MergeArguments> parse_merge_arguments(const std::vector<std::string>& arguments,
                                                    std::ostream& out) {
  CLI::App app("Joins result files into one: each run once, all in this version's schema.",
               "sdbench merge");
  app.footer(kMergeExamples + redactions_text() + kMergeEnd);
  const auto* files = app.add_option(
                             "FILES", [](const CLI::results_t&) { return true; },
                             "result files of any format and machine, or folders of them")
                          ->expected(1, CLI::detail::expected_max_vector_size)
                          ->allow_extra_args()
                          ->type_name("")
                          ->group("Files");
  const auto* output = add_text_option(app, "-o,--output", "FILE",
                                       format_endings("or") + "; never a partial file", "Files");
  const auto* redactions =
      add_text_option(app, "--redact", "NAMES",
                      "remove all private fields, or only these; see below", "Files")
          ->expected(0, 1);
  const auto* overwrite = add_overwrite_flag(app, "Files");
  const auto* quiet = add_flag(app, "-q,--quiet", "only warnings and errors", "Other");
  if (!parse_arguments(app, arguments, out)) {
    return std::nullopt;
  }
  if (std::ranges::find(arguments, "--redact=") != arguments.end()) {
    throw UsageError("--redact= must be followed by names, but nothing follows it; write --redact "
                     "to remove all private fields");
  }
  MergeArguments parsed;
  for (const std::string& names : redactions->results()) {
    std::ranges::move(redactions_of(names), std::back_inserter(parsed.redactions));
  }
  if (files->count() == 0) {
    throw UsageError("merge must be followed by the files to join, but there is none; write "
                     "sdbench merge a.csv b.csv -o all.csv");
  }
  if (output->count() != 1) {
    throw UsageError("merge must have one file to write, but has " +
                     std::to_string(output->count()) + "; add -o all.csv");
  }
  parsed.files = {files->results().begin(), files->results().end()};
  parsed.output = output->results().front();
  (void)format_by_extension(parsed.output);
  parsed.overwrite = overwrite->count() > 0;
  parsed.verbosity = quiet->count() > 0 ? -1 : 0;
  return parsed;
}

Redactor redactor_of(const std::vector<Redaction>& redactions,
                     const std::vector<RunRecord>& records) {
  Redactor redactor(redactions);
  for (const RunRecord& record : records) {
    redactor.meet(record);
  }
  return redactor;
}

/// True if the replacing row has everything that this row says.
bool is_kept(const RunRecord& record, const RunRecord* replacement, const Redactor& redactor) {
  if (replacement == nullptr || (has_raw_times(record) && !has_raw_times(*replacement))) {
    return false;
  }
  for (const RecordField& field : record_fields()) {
    const std::string text = field_text(record, field);
    if (field.name != "schema_version" && !text.empty() &&
        text != field_text(*replacement, field)) {
      return false; // the replacing row of this run says less or something else
    }
  }
  RunRecord redacted = record;
  redactor.redact(redacted);
  return to_csv_row(redacted) == to_csv_row(record);
}

/// Refuses a target with anything that its replacement would not have. The target may be one of the
/// joined files.
void refuse_lost(const MergeArguments& asked, const std::vector<RunRecord>& records) {
  const std::string instead = "name another file with -o";
  if (!keeps_records(asked.output)) {
    refuse_lost_records({asked.output}, records, instead);
    return;
  }
  if (!fs::exists(asked.output)) {
    return;
  }
  const std::string advice = "; " + instead + ", or add --overwrite";
  const Merged there = merge_record_files({asked.output});
  if (!there.bad.empty()) {
    throw Error(asked.output.string() + " holds rows that cannot be read and would be lost (" +
                there.bad.front().text() + ")" + advice);
  }
  std::unordered_map<std::string_view, const RunRecord*> by_run;
  for (const RunRecord& record : records) {
    by_run.emplace(record.run_id, &record);
  }
  const Redactor redactor = redactor_of(asked.redactions, there.records);
  const auto lost = std::ranges::count_if(there.records, [&](const RunRecord& record) {
    const auto found = by_run.find(record.run_id);
    return !is_kept(record, found == by_run.end() ? nullptr : found->second, redactor);
  });
  if (lost > 0) {
    throw Error(asked.output.string() + " holds " + counted(lost, "row") +
                " that would be missing or incomplete in the new file" + advice);
  }
}

/// A lock that is held while the target is read and replaced. A run that appends to the target
/// waits, then sees the replacement and adds what is missing. There is no lock if the target is new
/// or not writable, or if its file system has no locks.
Descriptor locked_target(const fs::path& target) {
  const auto open = [&] {
    return Descriptor(::open(target.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  };
  return locked_file(target, open, "replace " + target.string());
}

void write_records(const fs::path& target, const std::vector<RunRecord>& records) {
  const RecordFormat& format = format_by_extension(target);
  AtomicFile file(target);
  if (format.row == nullptr) {
    file.write(file_document(format, records));
  } else {
    file.write(format.header());
    for (const RunRecord& record : records) { // row by row, because the document may be large
      file.write(format.row(record));
    }
  }
  file.commit();
}

/// A summary whose figures add up.
std::string merge_summary(const Merged& merged) {
  const auto part = [](std::size_t count, const std::string& what) {
    return count == 0 ? "" : ", " + counted(static_cast<std::int64_t>(count), what) + " left out";
  };
  return counted(static_cast<std::int64_t>(merged.records.size()), "row") +
         part(merged.duplicates, "duplicate");
}

} // namespace

int merge_command(const std::vector<std::string>& arguments, const Streams& streams) {
  const std::optional<MergeArguments> asked = parse_merge_arguments(arguments, streams.out);
  if (!asked) {
    return kExitSuccess;
  }
  const auto logger = make_logger(streams.err, asked->verbosity, streams.err_terminal);
  Merged merged = merge_record_files(asked->files);
  for (const BadRow& bad : merged.bad) {
    logger->warn("left out   {}", message_line(bad.text()));
  }
  for (const BadRow& row : merged.doubtful) {
    logger->warn("doubtful   {}", message_line(row.text()));
  }
  if (merged.records.empty()) {
    throw Error("FILES must hold at least one record, but hold none; nothing was written");
  }
  const Redactor redactor = redactor_of(asked->redactions, merged.records);
  for (RunRecord& record : merged.records) {
    redactor.redact(record);
  }
  {
    const Descriptor lock = locked_target(asked->output);
    if (!asked->overwrite) {
      refuse_lost(*asked, merged.records);
    }
    write_records(asked->output, merged.records);
  }
  logger->info("merged     {}", merge_summary(merged));
  const RecordFormat& format = format_by_extension(asked->output);
  if (!format.keeps_raw_times && std::ranges::any_of(merged.records, has_raw_times)) {
    const auto keeps = [](const RecordFormat& other) { return other.keeps_raw_times; };
    logger->info("raw times  are not in {}; {} keep them", format.extension,
                 format_endings("and", keeps));
  }
  logger->info("saved      {}", asked->output.string());
  return merged.bad.empty() ? kExitSuccess : kExitSomeFailed;
}

} // namespace sdbench

#include "sdbench/front/results/record_files.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/file_ending.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/front/database/database_rows.h"
#include "sdbench/front/record/cell_value.h"
#include "sdbench/front/results/json_items.h"
#include "sdbench/front/results/named_rows.h"
#include "sdbench/front/results/row_readers.h"

namespace sdbench {
namespace {

/// Reports the rows of a database written by RecordDatabase; an empty file has no rows. Throws
/// Error for a file that is no database or is damaged, after it reported the rows before the
/// damage.
void read_database(const std::filesystem::path& file, RowReport& report) {
  DatabaseRows rows(file);
  if (!rows.is_ours()) {
    if (std::filesystem::file_size(file) > 0) {
      report.bad(0, "must have a table runs, but has none");
    }
    return;
  }
  const std::vector<std::string_view> columns = rows.columns();
  const auto run_id = std::ranges::find(columns, "run_id");
  if (run_id == columns.end()) {
    report.bad(0, "must have a column run_id in its table runs, but has none");
    return;
  }
  report.has_our_form();
  NamedRows named(report);
  named.set_columns(columns, 0);
  for (std::size_t row = 1; rows.next(); ++row) {
    const auto values = rows.values();
    const CellValue& id = values[static_cast<std::size_t>(run_id - columns.begin())];
    named.add(values, rows.raw_times(id.as_text()), row);
  }
}

namespace fs = std::filesystem;

template <JsonItems::Form kForm>
void read_json_of(ByteWindow& window, RowReport& report) {
  read_json(window, kForm, report);
}

struct TextKind {
  std::string_view extension;
  void (*read)(ByteWindow& window, RowReport& report);
};

constexpr std::array kTextKinds = {
    TextKind{".csv", read_csv},
    TextKind{".json", read_json_of<JsonItems::Form::kDocument>},
    TextKind{".jsonl", read_json_of<JsonItems::Form::kLines>},
};

const TextKind* text_kind(const fs::path& file) {
  const std::string extension = file_ending(file);
  const auto* const found = std::ranges::find(kTextKinds, extension, &TextKind::extension);
  return found == kTextKinds.end() ? nullptr : found;
}

/// Skips the mark that may begin UTF-8. Returns false for UTF-16, which spreadsheets and shells of
/// Windows may write.
bool skip_byte_order_mark(ByteWindow& window) {
  while (window.bytes().size() < 3 && window.grow()) {
  }
  if (window.bytes().starts_with("\xef\xbb\xbf")) {
    window.drop(3);
  }
  return !window.bytes().starts_with("\xff\xfe") && !window.bytes().starts_with("\xfe\xff");
}

std::vector<fs::path> files_of_folder(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    std::error_code broken_link;
    if (keeps_records(entry->path()) && entry->is_regular_file(broken_link)) {
      files.push_back(entry->path());
    }
  }
  if (failure) {
    throw Error("cannot read the folder " + folder.string() + ": " + failure.message());
  }
  std::ranges::sort(files);
  return files;
}

void check_named(const fs::path& path) {
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  if (!fs::exists(status)) {
    throw UsageError("each file must be one that is there, but " + in_quotes(path.string()) +
                     " is not" + (fs::status_known(status) ? "" : ": " + failure.message()));
  }
  if (!fs::is_directory(status) && !keeps_records(path)) {
    throw UsageError("each file must end in .csv, .json, .jsonl, .db or .sqlite, or be a folder, "
                     "but one is " +
                     in_quotes(path.string()));
  }
}

} // namespace

bool is_text_of_records(const fs::path& file) {
  return text_kind(file) != nullptr;
}

bool is_database_of_records(const fs::path& file) {
  return file_ending(file) == ".db" || file_ending(file) == ".sqlite";
}

bool keeps_records(const fs::path& file) {
  return is_text_of_records(file) || is_database_of_records(file);
}

void read_record_text(ByteWindow& window, const fs::path& file, RowReport& report) {
  if (!skip_byte_order_mark(window)) {
    report.has_our_form(); // only editors and spreadsheets write UTF-16
    report.bad(0, "must be UTF-8, but is UTF-16; save it as UTF-8");
    return;
  }
  if (window.bytes().starts_with('\0')) {
    report.has_our_form(); // a power failure may leave this of a file that was being written
  }
  text_kind(file)->read(window, report);
}

void read_record_file(const fs::path& file, RowReport& report) {
  try {
    if (is_database_of_records(file)) {
      read_database(file, report);
      return;
    }
    ByteWindow window(file_source(file));
    read_record_text(window, file, report);
  } catch (const Error& error) {
    report.has_our_form(); // it may have been ours, and a loss must not be silent
    report.bad(0, error.what());
  }
}

ReadRemarks read_record_files(const std::vector<fs::path>& paths, RowTarget& target) {
  std::ranges::for_each(paths, check_named); // all, before the first is read
  ReadRemarks remarks;
  const auto read = [&](const fs::path& file, bool is_named) {
    RowReport report(target, file);
    read_record_file(file, report);
    // A folder may hold other files of these kinds: telemetry, configurations.
    if (is_named || report.is_ours()) {
      std::ranges::move(report.take_bad(), std::back_inserter(remarks.bad));
      std::ranges::move(report.take_doubtful(), std::back_inserter(remarks.doubtful));
    }
  };
  for (const fs::path& path : paths) {
    if (!fs::is_directory(path)) {
      read(path, true);
      continue;
    }
    for (const fs::path& file : files_of_folder(path)) {
      read(file, false);
    }
  }
  return remarks;
}

} // namespace sdbench

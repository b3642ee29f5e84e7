#include "sdbench/front/sink/stream_sink.h"

#include <span>
#include <string>
#include <utility>

#include "sdbench/base/errors/error.h"
#include "sdbench/front/record/run_record.h"
#include "sdbench/front/words/record_blocks.h"

namespace sdbench {

StreamSink::StreamSink(std::ostream& out, const RecordFormat& format, bool colour,
                       bool (*reader_gone)())
    : out_(out), format_(format), colour_(colour), reader_gone_(reader_gone) {}

std::string StreamSink::text_of(const RunRecord& record) {
  const std::span<const RunRecord> one(&record, 1);
  if (format_.row != nullptr) {
    const bool first = !std::exchange(header_written_, true);
    return (first ? format_.header() : "") + format_.row(record);
  }
  return colour_ && !format_.is_of_files() ? to_record_blocks(one, true) : format_.document(one);
}

void StreamSink::write(std::span<const RunRecord> records, std::size_t taken) {
  for (const RunRecord& record : records.subspan(taken)) {
    if (out_) {
      out_ << text_of(record) << std::flush;
    }
  }
  if (!out_ && (reader_gone_ == nullptr || !reader_gone_())) {
    throw Error("cannot write to standard output: it is closed or full");
  }
}

} // namespace sdbench

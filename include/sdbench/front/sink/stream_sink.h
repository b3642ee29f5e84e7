#pragma once

#include <ostream>

#include "sdbench/front/sink/record_format.h"
#include "sdbench/front/sink/sink_set.h"

namespace sdbench {

/// Standard output as a sink: rows under one header if the format has rows, else a document for
/// each record.
class StreamSink : public RecordSink {
public:
  /// `colour` only affects the table. `reader_gone` (may be null) returns true if failed writes to
  /// `out` do not matter, because its reader is gone.
  StreamSink(std::ostream& out, const RecordFormat& format, bool colour,
             bool (*reader_gone)() = nullptr);

  [[nodiscard]] std::string name() const override { return "standard output"; }
  /// Never retries a failed write, because part of it may have been read.
  void write(std::span<const RunRecord> records, std::size_t taken) override;

private:
  [[nodiscard]] std::string text_of(const RunRecord& record);

  std::ostream& out_;
  const RecordFormat& format_;
  bool colour_;
  bool (*reader_gone_)();
  bool header_written_ = false;
};

} // namespace sdbench

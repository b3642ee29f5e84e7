#pragma once

#include <ostream>

#include "sdbench/front/sink/record_format.h"
#include "sdbench/front/sink/sink_set.h"

namespace sdbench {

/// Standard output as a sink: rows under one header where the format has rows, else a document for
/// each record.
class StreamSink : public RecordSink {
public:
  /// `colour` is for the table alone. `reader_gone` (may be null) says whether rows that `out`
  /// refuses are missed by nobody.
  StreamSink(std::ostream& out, const RecordFormat& format, bool colour,
             bool (*reader_gone)() = nullptr);

  [[nodiscard]] std::string name() const override { return "standard output"; }
  /// What a stream refused once is lost for it: half of it may have been read.
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

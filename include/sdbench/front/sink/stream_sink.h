#pragma once

#include <ostream>

#include "sdbench/front/sink/record_format.h"
#include "sdbench/front/sink/sink_set.h"

namespace sdbench {

/// Writes records to standard output: as rows under one header if the format has rows, else as one
/// document per record.
class StreamSink : public RecordSink {
public:
  /// `colour` affects only the format "table". `reader_gone`, which may be null, returns true if
  /// the reader of `out` is gone; failed writes are then ignored.
  StreamSink(std::ostream& out, const RecordFormat& format, bool colour,
             bool (*reader_gone)() = nullptr);

  [[nodiscard]] std::string name() const override { return "standard output"; }
  /// Never repeats a failed write, because the reader may already have got part of it.
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

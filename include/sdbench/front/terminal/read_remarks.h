#pragma once

#include <string>

#include "sdbench/front/results/bad_row.h"
#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// Prints one line for each problem. Of rows and files that were left out, prints only the first
/// 20, and then how many more there are.
void say_remarks(const ReadRemarks& remarks, const Streams& streams);

/// Tells the user if the Markdown text is longer than a comment on GitHub may be (65,536
/// characters).
void say_too_long_for_a_comment(const std::string& markdown, const Streams& streams);

} // namespace sdbench

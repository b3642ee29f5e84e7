#pragma once

namespace sdbench {

/// Runs the worker process. Writes the hello event to file descriptor `events`, then answers
/// requests from file descriptor `requests` until that pipe is closed or SIGTERM arrives. Returns
/// the exit code.
int run_message_loop(int requests, int events);

} // namespace sdbench

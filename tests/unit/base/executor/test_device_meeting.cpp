#include "sdbench/base/executor/device_meeting.h"

#include "catch.h"
#include "scratch_folder.h"

using namespace sdbench;

TEST_CASE("what is told of one device of a meeting is heard of that one alone") {
  const test::ScratchFolder folder;
  CHECK_FALSE(has_ended(folder.path(), 0));
  tell_ended(folder.path(), 1);
  tell_ended(folder.path(), 1);
  CHECK(has_ended(folder.path(), 1));
  CHECK_FALSE(has_ended(folder.path(), 0));
}

TEST_CASE("to tell a meeting that is gone does nothing") {
  const test::ScratchFolder folder;
  tell_ended(folder.path() / "gone", 0);
  CHECK_FALSE(has_ended(folder.path() / "gone", 0));
}

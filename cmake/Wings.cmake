# The wings of the house are the folders of src/: base, front and engine. A wing's rooms are its folders; no other list of them exists.
# Result: SDBENCH_BASE, SDBENCH_FRONT and SDBENCH_ENGINE, each a list such as base/config;base/text.
foreach(wing base front engine)
  file(GLOB entries CONFIGURE_DEPENDS LIST_DIRECTORIES true RELATIVE "${CMAKE_SOURCE_DIR}/src" "${CMAKE_SOURCE_DIR}/src/${wing}/*")
  string(TOUPPER SDBENCH_${wing} rooms)
  set(${rooms} ${entries})
endforeach()

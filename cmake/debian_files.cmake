# The differences between a Debian package and cmake --install. CPack runs this on the installed tree before packing.
set(tree "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr")
set(documents "${tree}/share/doc/sdbench")
get_filename_component(source "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)

# Workers look for libtorch where the front says; a package has none yet.
file(GLOB workers "${tree}/libexec/sdbench/*/sdbench-worker*")
foreach(worker IN LISTS workers)
  file(RPATH_REMOVE FILE "${worker}")
  get_filename_component(folder "${worker}" DIRECTORY)
  file(REMOVE "${folder}/library-path")
  file(WRITE "${folder}/needs-libtorch" "")
endforeach()

# Debian's zsh looks for completions of packages in a folder of another name.
file(RENAME "${tree}/share/zsh/site-functions" "${tree}/share/zsh/vendor-completions")

file(MAKE_DIRECTORY "${documents}")
file(WRITE "${documents}/copyright" "Copyright 2026 The sdbench authors
sdbench is under the Apache License, Version 2.0: /usr/share/common-licenses/Apache-2.0
CLIP's merges and Chart.js have licences of their own, which lie in /usr/share/sdbench (tokenizer/LICENSE, report/chart.LICENSE).
")
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE "${documents}/changelog" "sdbench (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * What a user gets: /usr/share/doc/sdbench/CHANGELOG.md

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
configure_file("${source}/CHANGELOG.md" "${documents}/CHANGELOG.md" COPYONLY)
# The project has no address of its own; publishers of a package give theirs.
file(WRITE "${tree}/share/lintian/overrides/sdbench" "# The maintainer's address is the packager's to give: cpack -D CPACK_DEBIAN_PACKAGE_MAINTAINER=...
sdbench: bogus-mail-host *
sdbench: bogus-mail-host-in-debian-changelog *
# No fonts: a safetensors file begins with the length of its header, and 256 is how TrueType begins.
sdbench: truetype-font-wrong-filename *golden/*.safetensors*
")
file(GLOB compressed "${tree}/share/man/man1/*.1" "${documents}/changelog")
execute_process(COMMAND gzip -9n ${compressed} COMMAND_ERROR_IS_FATAL ANY)

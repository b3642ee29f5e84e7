# A .deb of the front and of workers that come without libtorch (sdbench setup libtorch):
#   cpack --config BUILD/CPackConfig.cmake -B FOLDER
# Its dependencies are those of the build's system, so each release of Debian gets its own package.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sdbench)
set(CPACK_PACKAGE_CONTACT "The sdbench authors <sdbench@localhost>") # packagers set theirs: -D CPACK_DEBIAN_PACKAGE_MAINTAINER=...
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "How fast does Stable Diffusion run on this machine?
sdbench measures SD 1.5, SD 2.1 and SDXL in its own libtorch pipeline,
classic networks (VGG16, ResNet152, DenseNet161, CIFAR's) in inference and
training, and engines of others beside it. Each run is a row of figures that
can be compared.
libtorch itself is fetched by sdbench setup libtorch.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-venv, man-db")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "") # places of libtorch while dependencies are searched for
foreach(version IN LISTS SDBENCH_LIBTORCHES)
  list(APPEND CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${SDBENCH_RUNPATH_${version}})
endforeach()
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${CMAKE_SOURCE_DIR}/cmake/debian/postrm")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION TRUE)
set(CPACK_PRE_BUILD_SCRIPTS "${CMAKE_SOURCE_DIR}/cmake/debian_files.cmake")
set(CPACK_PROJECT_CONFIG_FILE "")
set(CPACK_VERBATIM_VARIABLES ON)
include(CPack)

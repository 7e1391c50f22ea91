# The library with its headers, a package config (find_package(seesaw), then link seesaw::seesaw) and
# seesaw.pc for pkg-config. app/ installs the program.
include(CMakePackageConfigHelpers)
get_property(modules GLOBAL PROPERTY SEESAW_MODULES)
list(REMOVE_ITEM modules seesaw_study seesaw_report)  # of the program and of Python alone
install(TARGETS ${modules} EXPORT seesawTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/seesaw DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT seesawTargets NAMESPACE seesaw:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/seesaw)
configure_package_config_file(cmake/seesawConfig.cmake.in seesawConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/seesaw)
write_basic_package_version_file(seesawConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/seesawConfig.cmake ${CMAKE_BINARY_DIR}/seesawConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/seesaw)

# Static libraries: those that use others come first. The prefix is relative to the file, so that the tree can be moved.
set(pc_libraries "")
foreach(module IN LISTS modules)
  set(pc_libraries "-l${module} ${pc_libraries}")
endforeach()
file(RELATIVE_PATH pc_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/seesaw.pc.in seesaw.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/seesaw.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# The library with its headers and a package config (app/ installs the program): find_package(seesaw), then link seesaw::seesaw.
include(CMakePackageConfigHelpers)
get_property(modules GLOBAL PROPERTY SEESAW_MODULES)
install(TARGETS ${modules} EXPORT seesawTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/seesaw DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT seesawTargets NAMESPACE seesaw:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/seesaw)
configure_package_config_file(cmake/seesawConfig.cmake.in seesawConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/seesaw)
write_basic_package_version_file(seesawConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/seesawConfig.cmake ${CMAKE_BINARY_DIR}/seesawConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/seesaw)

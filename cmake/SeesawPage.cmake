# The page of reports: report/src bundled into one HTML file and a C++ string, in the build tree. Packages are installed
# there as well (npm ci, as the lock file says), never in the source tree; only while building is anything fetched.
find_program(NPM_PROGRAM npm)
find_program(NODE_PROGRAM NAMES node nodejs)
if(NOT NPM_PROGRAM OR NOT NODE_PROGRAM)
  message(FATAL_ERROR "npm is not here, and it makes the page of reports: install nodejs (18 or later) and npm, or run scripts/setup.")
endif()

set(page_source ${CMAKE_SOURCE_DIR}/report)
set(page_folder ${CMAKE_BINARY_DIR}/report)
file(GLOB page_files CONFIGURE_DEPENDS ${page_source}/src/*)
set(page_omits --omit=dev)
if(SEESAW_TESTS)
  set(page_omits "")  # the browser's driver is needed to test only
endif()

add_custom_command(OUTPUT ${page_folder}/packages.stamp
  COMMAND ${CMAKE_COMMAND} -E copy ${page_source}/package.json ${page_source}/package-lock.json ${page_source}/.npmrc ${page_folder}
  COMMAND ${NPM_PROGRAM} ci --ignore-scripts --no-audit --no-fund --loglevel=error --prefix ${page_folder} ${page_omits}
  COMMAND ${CMAKE_COMMAND} -E touch ${page_folder}/packages.stamp
  DEPENDS ${page_source}/package.json ${page_source}/package-lock.json ${page_source}/.npmrc
  WORKING_DIRECTORY ${page_folder} COMMENT "Installing the packages of the page" VERBATIM)
add_custom_command(OUTPUT ${page_folder}/page_template.cpp ${page_folder}/page.html
  COMMAND ${NODE_PROGRAM} ${page_source}/bundle.mjs ${page_folder}
  DEPENDS ${page_source}/bundle.mjs ${page_files} ${page_folder}/packages.stamp
  COMMENT "Bundling the page" VERBATIM)
file(MAKE_DIRECTORY ${page_folder})

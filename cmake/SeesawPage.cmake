# The report page: report/bundle/page.html, bundled from report/src by `make page`, as a C++ string in the build tree.
# Building needs no node; tests/cli/page checks that the bundle matches its sources.
set(page_file ${CMAKE_SOURCE_DIR}/report/bundle/page.html)
set(page_template ${CMAKE_BINARY_DIR}/report/page_template.cpp)
add_custom_command(OUTPUT ${page_template}
  COMMAND ${CMAKE_COMMAND} -DPAGE=${page_file} -DOUTPUT=${page_template} -P ${CMAKE_SOURCE_DIR}/cmake/embed_page.cmake
  DEPENDS ${page_file} ${CMAKE_SOURCE_DIR}/cmake/embed_page.cmake VERBATIM)

# seesaw_embed(OUTPUT HEADER header.h LIST name FILES ...): a C++ source with the text of the files, in their order, as
# the function `name` declared in HEADER. Regenerated when a file changes.
function(seesaw_embed output)
  cmake_parse_arguments(EMBED "" "HEADER;LIST" "FILES" ${ARGN})
  list(SORT EMBED_FILES)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${output}" -DHEADER=${EMBED_HEADER} -DLIST=${EMBED_LIST} "-DFILES=${EMBED_FILES}"
            -P ${CMAKE_SOURCE_DIR}/cmake/embed_files.cmake
    DEPENDS ${EMBED_FILES} ${CMAKE_SOURCE_DIR}/cmake/embed_files.cmake VERBATIM)
endfunction()

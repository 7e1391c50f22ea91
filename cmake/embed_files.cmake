# Called by seesaw_embed while building.
set(entries "")
set(count 0)
foreach(file IN LISTS FILES)
  file(READ ${file} text)
  get_filename_component(name ${file} NAME_WE)
  string(APPEND entries "    {\"${name}\", R\"file~(${text})file~\"},\n")
  math(EXPR count "${count} + 1")
endforeach()
file(WRITE ${OUTPUT} "#include \"${HEADER}\"

#include <vector>

namespace seesaw {

std::span<const BuiltInFile> ${LIST}() {
  static const std::vector<BuiltInFile> files = {
${entries}  };
  return files;
}

}  // namespace seesaw
")

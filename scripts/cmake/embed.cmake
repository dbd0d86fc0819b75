# Writes OUTPUT, a C++ file that holds FILES as byte arrays (see headscope_embed in helpers.cmake).
set(arrays "")
set(cases "")
set(index 0)
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME)
  file(READ "${file}" hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
  string(APPEND arrays "constexpr char file_${index}[] = {${bytes}'\\0'};\n")
  string(APPEND cases "  if (file_name == \"${name}\") return {file_${index}, sizeof file_${index} - 1};\n")
  math(EXPR index "${index} + 1")
endforeach()
file(WRITE "${OUTPUT}" "#include <string_view>
namespace headscope::${NAMESPACE} {
namespace {
${arrays}}
std::string_view find(std::string_view file_name);
std::string_view find([[maybe_unused]] std::string_view file_name) {
${cases}  return {};
}
}  // namespace headscope::${NAMESPACE}
")

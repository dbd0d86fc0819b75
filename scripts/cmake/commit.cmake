# Writes OUTPUT, a C++ file that says which commit of SOURCE is being built, if it says something else.
# HEADSCOPE_COMMIT of the environment says it for sources without git.
cmake_minimum_required(VERSION 3.21)
set(commit "$ENV{HEADSCOPE_COMMIT}")
find_program(git git)
if(NOT commit AND git AND EXISTS "${SOURCE}/.git")
  execute_process(COMMAND ${git} -C ${SOURCE} rev-parse --short=12 HEAD OUTPUT_VARIABLE commit
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND ${git} -C ${SOURCE} status --porcelain OUTPUT_VARIABLE changed ERROR_QUIET)
  if(commit AND changed)
    string(APPEND commit "+")
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT "#include <string_view>
namespace headscope {
std::string_view commit();
std::string_view commit() {
  return \"@commit@\";
}
}  // namespace headscope
")

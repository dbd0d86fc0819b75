# Warnings and sanitizers for our own targets.
function(headscope_target target)
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR})
  if(MSVC)
    target_compile_options(${target} PRIVATE /W4 /permissive- /utf-8)
  else()
    # Places are never negative, and index containers as they are: -Wconversion means the same to Clang as to GCC.
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion -Wshadow)
  endif()
  # GCC 12 sees overlapping copies in "literal" + std::string (GCC bug 105651), and copies that are too long.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_UNITY_BUILD)
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)  # takes included files for headers
  endif()
  if(HEADSCOPE_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
    # Files of a unity build share a namespace: one that shadows its neighbour's name is no error.
    if(CMAKE_UNITY_BUILD)
      target_compile_options(${target} PRIVATE -Wno-error=shadow)
    endif()
  endif()
  if(HEADSCOPE_SANITIZE)
    # The sanitizers make GCC warn of members that are set all right (std::regex).
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
    endif()
    target_compile_options(${target} PRIVATE -fsanitize=${HEADSCOPE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    # Checks at every dereference take a third of the build: the address sanitizer stops at a null pointer and outside of
    # an object itself, and the processors that we build for read what is not aligned.
    if(HEADSCOPE_SANITIZE MATCHES "undefined")
      target_compile_options(${target} PRIVATE -fno-sanitize=null,object-size,alignment,vptr)
    endif()
    target_link_options(${target} PRIVATE -fsanitize=${HEADSCOPE_SANITIZE})
  endif()
endfunction()

# What nearly every file includes, compiled once: half of the time to compile a file was reading these.
function(headscope_precompiled_headers)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")  # else ccache takes every new one for another
    add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
  endif()
  file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/precompiled.cpp CONTENT "")
  add_library(headscope_precompiled OBJECT ${CMAKE_CURRENT_BINARY_DIR}/precompiled.cpp)
  headscope_target(headscope_precompiled)
  target_link_libraries(headscope_precompiled PRIVATE fmt::fmt Threads::Threads Eigen3::Eigen)
  target_precompile_headers(headscope_precompiled PRIVATE
    <Eigen/Core> <fmt/format.h> <algorithm> <array> <chrono> <cmath> <cstdint> <cstring> <filesystem> <functional>
    <future> <map> <memory> <numeric> <optional> <set> <span> <stop_token> <string> <string_view> <utility> <variant>
    <vector>)
endfunction()

# Compiles the one file (or list of files) and links the package if pkg-config found it, else the other.
function(headscope_optional_part target package with without)
  if(${package}_FOUND)
    target_link_libraries(${target} PRIVATE PkgConfig::${package})
    set_source_files_properties(${without} PROPERTIES HEADER_FILE_ONLY ON)
  else()
    set_source_files_properties(${with} PROPERTIES HEADER_FILE_ONLY ON)
  endif()
endfunction()

# Makes NAME-client-protocol.h and NAME-protocol.inc, which one of the target's files includes, from a file of the package
# wayland-protocols (folder/NAME).
function(headscope_wayland_protocol target protocol)
  pkg_get_variable(scanner wayland-scanner wayland_scanner)
  pkg_get_variable(protocols wayland-protocols pkgdatadir)
  get_filename_component(name ${protocol} NAME)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/wayland/${name})
  set(xml ${protocols}/${protocol}.xml)
  add_custom_command(
    OUTPUT ${output}-client-protocol.h ${output}-protocol.inc
    COMMAND ${scanner} client-header ${xml} ${output}-client-protocol.h
    COMMAND ${scanner} private-code ${xml} ${output}-protocol.inc
    DEPENDS ${xml} VERBATIM)
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/wayland)
  target_sources(${target} PRIVATE ${output}-client-protocol.h ${output}-protocol.inc)
  target_include_directories(${target} SYSTEM PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/wayland)
endfunction()

# One library from every .cpp file below the given folders of the current source directory. In the page, a part that
# has a file for browsers (x_browser.cpp) is without its others (x.cpp, no_x.cpp), which are for desktops.
function(headscope_library target)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${ARGN})
  if(EMSCRIPTEN)
    set(of_browser ${sources})
    list(FILTER of_browser INCLUDE REGEX "_browser\\.cpp$")
    foreach(file IN LISTS of_browser)
      string(REGEX REPLACE "_browser\\.cpp$" ".cpp" desktop ${file})
      string(REGEX REPLACE "/([^/]*)$" "/no_\\1" without ${desktop})
      list(REMOVE_ITEM sources ${desktop} ${without})
    endforeach()
  else()
    list(FILTER sources EXCLUDE REGEX "_browser\\.cpp$")
  endif()
  # core/system has each part once for each kind of system.
  if(WIN32)
    list(FILTER sources EXCLUDE REGEX "_posix\\.cpp$")
  else()
    list(FILTER sources EXCLUDE REGEX "_windows\\.cpp$")
  endif()
  if(NOT sources)
    set(sources ${CMAKE_CURRENT_BINARY_DIR}/${target}_empty.cpp)
    file(GENERATE OUTPUT ${sources} CONTENT "")
  endif()
  add_library(${target} STATIC ${sources})
  headscope_target(${target})
  target_precompile_headers(${target} REUSE_FROM headscope_precompiled)
endfunction()

# headscope_embed(target NAMESPACE name FILES ...): files as std::string_view constants, looked up by file name
# through `std::string_view find(std::string_view file_name)` in namespace headscope::NAMESPACE.
function(headscope_embed target)
  cmake_parse_arguments(EMBED "" "NAMESPACE" "FILES" ${ARGN})
  set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded_${EMBED_NAMESPACE}.cpp)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DNAMESPACE=${EMBED_NAMESPACE} "-DFILES=${EMBED_FILES}"
            -P ${PROJECT_SOURCE_DIR}/scripts/cmake/embed.cmake
    DEPENDS ${EMBED_FILES} ${PROJECT_SOURCE_DIR}/scripts/cmake/embed.cmake
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()

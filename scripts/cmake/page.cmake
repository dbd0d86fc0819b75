# How the page is compiled (docs/web.md): by Emscripten, for browsers with WebGL 2 and 128-bit SIMD. The same objects
# are linked twice: without threads, and with them for the few hosts that allow browsers to have them.
set(HEADSCOPE_PAGE_LIBRARIES "/var/cache/headscope-web/prefix" CACHE PATH "What scripts/cross/libraries has built")
list(APPEND CMAKE_FIND_ROOT_PATH ${HEADSCOPE_PAGE_LIBRARIES})
set(ENV{PKG_CONFIG_PATH} ${HEADSCOPE_PAGE_LIBRARIES}/lib/pkgconfig)  # the toolchain resets PKG_CONFIG_LIBDIR

# The smaller program is there sooner. The inner loops have options of their own (core/CMakeLists.txt).
add_compile_options(-Os)
add_link_options(-Os)
add_compile_options(-fwasm-exceptions -msimd128 -pthread)
# libc++ 19 has std::stop_token and std::jthread among what it calls experimental.
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fexperimental-library>)
add_link_options(-fwasm-exceptions)

# The program, with further options for the linker: scripts/webpage/assemble makes pages of it.
function(headscope_page target)
  set(page ${PROJECT_SOURCE_DIR}/app/window/page)
  set(libraries fibers store browser mirror glyphs print)
  list(TRANSFORM libraries PREPEND ${page}/)
  list(TRANSFORM libraries APPEND .js)
  target_link_options(${target} PRIVATE
    -sALLOW_MEMORY_GROWTH -sINITIAL_MEMORY=64MB -sMAXIMUM_MEMORY=4GB -sSTACK_SIZE=4MB
    -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 ${ARGN} -sEXPORTED_RUNTIME_METHODS=FS,ENV,callMain
    -sFORCE_FILESYSTEM "SHELL:--pre-js ${page}/packs.js" "SHELL:--pre-js ${page}/start.js")
  foreach(library IN LISTS libraries)
    target_link_options(${target} PRIVATE "SHELL:--js-library ${library}")
  endforeach()
  set_target_properties(${target} PROPERTIES LINK_DEPENDS "${libraries};${page}/packs.js;${page}/start.js")
endfunction()

# How the page is compiled (docs/web.md): by Emscripten, to one thread, for browsers with WebGL 2 and 128-bit SIMD.
set(HEADSCOPE_PAGE_LIBRARIES "/var/cache/headscope-web/prefix" CACHE PATH "What scripts/cross/libraries has built")
set(HEADSCOPE_PAGE_FILES "" CACHE PATH "The files that the page finds in its root folder: fonts")
list(APPEND CMAKE_FIND_ROOT_PATH ${HEADSCOPE_PAGE_LIBRARIES})
set(ENV{PKG_CONFIG_LIBDIR} ${HEADSCOPE_PAGE_LIBRARIES}/lib/pkgconfig)

add_compile_options(-fwasm-exceptions -msimd128)
# libc++ 19 has std::stop_token and std::jthread among what it calls experimental.
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fexperimental-library>)
add_link_options(-fwasm-exceptions)

# The program: scripts/webpage/assemble makes one file of it.
function(headscope_page target)
  set(page ${PROJECT_SOURCE_DIR}/app/window/page)
  target_link_options(${target} PRIVATE
    -sALLOW_MEMORY_GROWTH -sINITIAL_MEMORY=64MB -sMAXIMUM_MEMORY=4GB -sSTACK_SIZE=4MB
    -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 -sENVIRONMENT=web,node -sEXPORTED_RUNTIME_METHODS=FS,ENV,callMain
    -lidbfs.js "SHELL:--js-library ${page}/browser.js" "SHELL:--pre-js ${page}/start.js"
    "SHELL:--embed-file ${PROJECT_SOURCE_DIR}/assets/models@/usr/share/headscope/models")
  if(HEADSCOPE_PAGE_FILES)
    target_link_options(${target} PRIVATE "SHELL:--embed-file ${HEADSCOPE_PAGE_FILES}@/")
  endif()
  # What libraries need of others, which their own descriptions leave to the linker of shared ones.
  target_link_directories(${target} PRIVATE ${HEADSCOPE_PAGE_LIBRARIES}/lib)
  target_link_libraries(${target} PRIVATE expat sharpyuv)
  set_target_properties(${target} PROPERTIES LINK_DEPENDS "${page}/browser.js;${page}/start.js")
endfunction()

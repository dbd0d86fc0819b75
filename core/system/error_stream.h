#pragma once
#include <cstdio>

namespace headscope {

/// Where this program's own lines go: standard error, also after silence_libraries().
std::FILE* error_stream();

/// From now on what libraries print on standard error (fontconfig, Pango, GLib, Mesa …) is dropped, on every
/// thread; what ends the program by std::terminate() still says why. HEADSCOPE_LIBRARY_MESSAGES=1 in the
/// environment shows all. To be called once, before there are other threads.
void silence_libraries();

}  // namespace headscope

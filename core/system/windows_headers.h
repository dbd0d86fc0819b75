#pragma once
// <windows.h> without the headers that hardly anything needs and without its macros of common words.
#define WIN32_LEAN_AND_MEAN
#if !defined(NOMINMAX)  // as mingw-w64's library does
#define NOMINMAX
#endif
#include <windows.h>
#undef near
#undef far

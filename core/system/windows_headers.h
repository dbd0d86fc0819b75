#pragma once
// <windows.h> without its macros `min`, `max` and the headers that hardly anything needs.
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

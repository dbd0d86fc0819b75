// What wayland-scanner made of the protocol is C.
#if defined(__clang__) || defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpedantic"
#endif
#include "text-input-unstable-v3-client-protocol.h"
extern "C" {
#include "text-input-unstable-v3-protocol.inc"
}

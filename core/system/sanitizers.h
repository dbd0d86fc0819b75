#pragma once

// HEADSCOPE_SANITIZED: built with the address or the thread sanitizer. Clang before 21 has no macros for
// them.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HEADSCOPE_SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HEADSCOPE_SANITIZED
#endif

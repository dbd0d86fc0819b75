#pragma once
#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>
#include <system_error>

#include "core/system/sanitizers.h"

// Replaces operator new and pthread_create of its executable: only one file of it may include this.
// Allocations of libraries that use malloc() do not fail. Sanitizers replace both themselves: with them
// nothing fails.
namespace headscope::tests {

/// The number of calls until the one that fails, from any thread; below 0: none.
struct Countdown {
  std::atomic<long> left{-1};
  /// Whether this is the one.
  bool fails() { return left.load(std::memory_order_relaxed) >= 0 && left.fetch_sub(1) == 0; }
};
inline Countdown allocations, threads;
inline std::atomic<long> living_allocations{0};

/// During its lifetime the n-th call from now on fails, counted from 0.
class Failing {
 public:
  Failing(Countdown& what, long n) : what_(what) { what_.left = n; }
  ~Failing() { what_.left = -1; }
  Failing(const Failing&) = delete;
  Failing& operator=(const Failing&) = delete;
  bool failed() const { return what_.left < 0; }

 private:
  Countdown& what_;
};

inline void* allocate(std::size_t size, std::size_t alignment) {
  if (allocations.fails()) throw std::bad_alloc();
  const std::size_t whole = (size + alignment - 1) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, whole == 0 ? alignment : whole);
  if (memory == nullptr) throw std::bad_alloc();
  ++living_allocations;
  return memory;
}
inline void give_back(void* memory) {
  if (memory == nullptr) return;
  --living_allocations;
  std::free(memory);
}

}  // namespace headscope::tests

#if defined(HEADSCOPE_SANITIZED)
#define SKIP_WITHOUT_FAILURES() GTEST_SKIP() << "the sanitizer has its own operator new and pthread_create"
#else
#define SKIP_WITHOUT_FAILURES() static_cast<void>(0)

// The array and sized forms call these.
void* operator new(std::size_t size) {
  return headscope::tests::allocate(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return headscope::tests::allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  headscope::tests::give_back(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  headscope::tests::give_back(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  headscope::tests::give_back(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  headscope::tests::give_back(memory);
}

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                              void* argument) {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  // GLib aborts if it cannot create a thread; std::thread calls from the C++ library.
  Dl_info info{};
  const bool ours = dladdr(reinterpret_cast<const void*>(start), &info) != 0 && info.dli_fname != nullptr &&
                    std::string_view(info.dli_fname).find("libstdc++") != std::string_view::npos;
  const bool fails = ours && headscope::tests::threads.fails();
  return fails ? EAGAIN : create(thread, attributes, start, argument);
}
#endif

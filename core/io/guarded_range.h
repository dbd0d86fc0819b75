#pragma once
#include <cstddef>

namespace headscope {

/// Memory that is mapped from a file, in which SIGBUS leads to zeros instead of to the end of the program.
class GuardedRange {
 public:
  /// Of whole pages. Where there are too many of them already, or the handler cannot be set, guarded() is
  /// false.
  GuardedRange(const void* begin, std::size_t bytes);
  ~GuardedRange();
  GuardedRange(const GuardedRange&) = delete;
  GuardedRange& operator=(const GuardedRange&) = delete;

  bool guarded() const { return place_ >= 0; }
  /// Whether zeros stand in the place of anything.
  bool damaged() const;

 private:
  int place_ = -1;
};

}  // namespace headscope

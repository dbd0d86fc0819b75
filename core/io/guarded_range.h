#pragma once
#include <cstddef>

namespace headscope {

/// Memory mapped from a file in which SIGBUS yields zeros instead of ending the program.
class GuardedRange {
 public:
  /// The range must be whole pages. If there are too many ranges already, or the handler cannot be installed,
  /// guarded() is false.
  GuardedRange(const void* begin, std::size_t bytes);
  ~GuardedRange();
  GuardedRange(const GuardedRange&) = delete;
  GuardedRange& operator=(const GuardedRange&) = delete;

  bool guarded() const { return place_ >= 0; }
  /// Whether any data was replaced by zeros.
  bool damaged() const;

 private:
  int place_ = -1;
};

}  // namespace headscope

#pragma once
#include <utility>

#include "core/system/files.h"

namespace headscope {

/// A file descriptor, closed when this ends; -1: none.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }
  operator int() const { return number_; }
  /// 0, or errno.
  int close() { return number_ < 0 ? 0 : close_file(std::exchange(number_, -1)); }
  /// Leaves it to another owner.
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

}  // namespace headscope

#pragma once
#include <exception>
#include <stop_token>

#include "core/system/fibers.h"

namespace headscope {

/// Thrown by work that was stopped and has nothing to return. The requester of the stop catches it.
class Stopped : public std::exception {
 public:
  const char* what() const noexcept override { return "stopped"; }
};

/// Whether work should end. It also gives way to others that share its thread: see core/system/fibers.h.
inline bool stop_requested(const std::stop_token& stop) {
  give_way();
  return stop.stop_requested();
}

inline void check_stop(const std::stop_token& stop) {
  if (stop_requested(stop)) throw Stopped();
}

}  // namespace headscope

#pragma once
#include <exception>
#include <stop_token>

namespace headscope {

/// Thrown by work that was stopped and has nothing to return. The requester of the stop catches it.
class Stopped : public std::exception {
 public:
  const char* what() const noexcept override { return "stopped"; }
};

inline void check_stop(const std::stop_token& stop) {
  if (stop.stop_requested()) throw Stopped();
}

}  // namespace headscope

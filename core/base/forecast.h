#pragma once
#include <functional>

namespace headscope {

/// What work will take, counted before it begins: the same on every machine.
struct Forecast {
  double seconds = 0;  ///< on two recent cores
  double bytes = 0;    ///< of memory, at its peak

  /// Work that users are told of beforehand, and can stop.
  bool is_long() const { return seconds >= 3; }
};
using TellForecast = std::function<void(const Forecast&)>;

}  // namespace headscope

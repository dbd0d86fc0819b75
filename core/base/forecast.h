#pragma once
#include <functional>

namespace headscope {

/// The estimated cost of work, counted before it begins: the same on every machine.
struct Forecast {
  double seconds = 0;  ///< on two recent cores
  double bytes = 0;    ///< peak memory

  /// Whether users are warned beforehand and can stop it.
  bool is_long() const { return seconds >= 3; }
};
using ReportForecast = std::function<void(const Forecast&)>;

}  // namespace headscope

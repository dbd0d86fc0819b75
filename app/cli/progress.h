#pragma once
#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <thread>

#include "core/base/forecast.h"
#include "core/base/translate.h"

namespace headscope {

/// How far work is that takes more than a moment: one line on stderr, where that is a terminal, with the time
/// that is left as far as that can be known; gone at the end, before anything else is printed.
class Progress {
 public:
  /// `text` says what is being done, and is translated. Nothing is shown before `moment` is over.
  Progress(const Translator& tr, const char* text,
           std::chrono::milliseconds moment = std::chrono::milliseconds(1000));
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// The share of the work that is done, from any thread.
  void show(double share) { share_ = share; }
  /// Says at once what long work will take and how to end it, on any stderr.
  void tell(const Forecast& forecast) const;

 private:
  void watch(const std::stop_token& stop, std::chrono::milliseconds moment);
  std::string line(double seconds) const;

  const Translator& tr_;
  const char* text_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::atomic<double> share_{-1};
  std::jthread watch_;  // only where there is a terminal
};

/// Takes the line away that a Progress has shown, for who ends the program at once.
void clear_progress();

}  // namespace headscope

#pragma once
#include <atomic>
#include <chrono>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <thread>

#include "core/base/forecast.h"
#include "core/base/translate.h"

namespace headscope {

/// Prints one line of at most 500 bytes on stderr, without terminal control sequences.
void print_message(const std::string& text);

/// Prints text of several lines on stdout; if that is a terminal, control sequences are escaped.
void print_text(const std::string& text);

/// Prints it on stdout; what is not UTF-8 is replaced.
void dump_json(const nlohmann::ordered_json& json);

/// Progress of work that takes more than a moment: one line on stderr, if that is a terminal, with the
/// remaining time as far as it can be estimated; removed at the end, before anything else is printed.
class Progress {
 public:
  /// `text` says what is being done, and is translated. Nothing is shown before `moment` has passed.
  Progress(const Translator& tr, const char* text,
           std::chrono::milliseconds moment = std::chrono::milliseconds(1000));
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Sets the share of the work that is done; callable from any thread.
  void show(double share) { share_ = share; }
  /// Prints at once what long work will take and how to stop it, on any stderr.
  void report(const Forecast& forecast) const;

 private:
  void watch(const std::stop_token& stop, std::chrono::milliseconds moment);
  std::string line(double seconds) const;

  const Translator& tr_;
  const char* text_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::atomic<double> share_{-1};
  std::jthread watch_;  // only if stderr is a terminal
};

/// Removes the line shown by a Progress, for code that ends the program at once.
void clear_progress();

}  // namespace headscope

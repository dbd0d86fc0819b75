#include "app/cli/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <new>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/base/utf8.h"
#include "core/system/error_stream.h"
#include "core/system/process.h"

namespace headscope {
namespace {

constexpr int bar_cells = 24;

std::string bar(double share) {
  const std::size_t full = std::lround(share * bar_cells);
  return "[" + std::string(full, '#') + std::string(bar_cells - full, '.') + "]";
}

}  // namespace

void print_message(const std::string& text) {
  constexpr std::size_t longest = 500;
  const std::string line = cut_off("headscope: " + printable(text), longest - 1) + '\n';
  std::fputs(line.c_str(), error_stream());
}

void print_text(const std::string& text) {
  fmt::print("{}\n", is_terminal(StandardStream::output) ? printable_lines(text) : text);
}

void dump_json(const nlohmann::ordered_json& json) {
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

Progress::Progress(const Translator& tr, const char* text, std::chrono::milliseconds moment)
    : tr_(tr), text_(text) {
  if (!is_terminal(StandardStream::error)) return;
  try {
    watch_ = std::jthread([this, moment](const std::stop_token& stop) {
      try {
        watch(stop, moment);
      } catch (const std::bad_alloc&) {
        // Progress is optional: ignore the error.
      }
    });
  } catch (const std::system_error&) {
    // The work does not need the progress thread.
  }
}

Progress::~Progress() = default;

void Progress::report(const Forecast& forecast) const {
  if (!forecast.is_long()) return;
  constexpr double gigabyte = 1e9, worth_saying = 5e7;
  clear_progress();
  const long seconds = std::lround(forecast.seconds);
  print_message(forecast.bytes < worth_saying
                    ? tr_("{}: takes about {} s; Ctrl+C ends it", tr_(text_), seconds)
                    : tr_("{}: takes about {} s and {} GB of memory; Ctrl+C ends it", tr_(text_), seconds,
                          fmt::format("{:.1f}", forecast.bytes / gigabyte)));
}

void Progress::watch(const std::stop_token& stop, std::chrono::milliseconds moment) {
  constexpr std::chrono::milliseconds between{200};
  std::mutex mutex;
  std::condition_variable_any ended;
  bool shown = false;
  std::unique_lock lock(mutex);
  for (auto wait = moment; !stop.stop_requested(); wait = between) {
    ended.wait_for(lock, stop, wait, [] { return false; });
    if (stop.stop_requested()) break;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start_;
    std::fputs(("\r" + line(took.count()) + "\x1b[K").c_str(), error_stream());
    std::fflush(error_stream());
    shown = true;
  }
  if (shown) clear_progress();
}

std::string Progress::line(double seconds) const {
  constexpr double min_share = 0.02;  // after which the rest can be forecast
  constexpr int columns_of_texts = 50;
  const double share = std::min(share_.load(), 1.0);
  if (share < 0) return tr_("{} ({} s)", tr_(text_), std::lround(seconds));
  std::string line = tr_(text_);
  if (terminal_columns() >= columns_of_texts + bar_cells) line += "  " + bar(share);
  line += fmt::format("  {:.0f}%", std::floor(100 * share));
  if (share >= min_share)
    line += "  " + tr_("about {} s left", std::max(1L, std::lround(seconds * (1 - share) / share)));
  return line;
}

void clear_progress() {
  if (!is_terminal(StandardStream::error)) return;
  std::fputs("\r\x1b[K", error_stream());
  std::fflush(error_stream());
}

}  // namespace headscope

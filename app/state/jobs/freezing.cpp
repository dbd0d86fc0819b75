#include "app/state/jobs/freezing.h"

#include <cmath>

#include "core/base/error.h"
#include "core/base/translate.h"
#include "core/system/frozen_window.h"

namespace headscope {
namespace {

/// A page on one thread takes so many times as long as the machine that forecasts are for.
constexpr double slower = 2;
constexpr double patience = 1.5;  // s

bool accepted = false;  // by the user of the only window of a page

}  // namespace

void accept_freezing(bool accepts) {
  accepted = accepts;
}

void expect_short(const Forecast& forecast) {
  const double seconds = slower * forecast.seconds;
  if (seconds < patience) return;
  throw unable_error(
      "computing this takes about {} s, in which this browser does not let the page respond; press Run again "
      "to begin",
      std::lround(std::ceil(seconds)));
}

void report_unasked(WorkProgress& progress, const Forecast& forecast) {
  if (computing_freezes_window() && !accepted) expect_short(forecast);
  progress.report(forecast);
}

}  // namespace headscope

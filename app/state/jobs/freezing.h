#pragma once
#include "app/state/jobs/job.h"

namespace headscope {

// Where computing freezes the window (core/system/frozen_window.h), what would take long does not begin by
// itself: the window first says how long it will not respond, and the user runs it all the same, or not.

/// WorkProgress::report() for work that nobody has asked for. Throws Error (unable) if it would freeze the
/// window for long and the user has not accepted that.
void report_unasked(WorkProgress& progress, const Forecast& forecast);
/// The user accepts it, until other inputs are run.
void accept_freezing(bool accepts);
/// Why work of this forecast is not begun where it freezes the window. Throws Error (unable) if it is long.
void expect_short(const Forecast& forecast);

}  // namespace headscope

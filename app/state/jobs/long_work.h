#pragma once
#include <optional>

#include "app/state/jobs/background.h"

namespace headscope {

struct App;

/// Work beside the frames that takes long, for the status bar.
struct LongWork {
  const char* what;  ///< English, to be translated
  WorkProgress::Now now;
};
/// Of several the one that others wait for; nothing where all is soon done.
std::optional<LongWork> long_work(const App& app);

/// Stops what is being computed or written. What is shown stays as it is, and is marked as not up to date; no
/// file is half written.
void stop_work(App& app);
/// Whether something of what is shown was stopped, or failed.
Idle idle_work(const App& app);
/// Computes that again.
void run_again(App& app);
/// Shown then in place of "Computing…", English; nullptr for Idle::none.
const char* idle_text(Idle idle);

}  // namespace headscope

#pragma once
#include <optional>

#include "app/state/jobs/background.h"

namespace headscope {

struct App;
struct Workspace;

/// Long background work, for the status bar.
struct LongWork {
  const char* what;  ///< English, to be translated
  WorkProgress::Now now;
};
/// If there are several, the one that others wait for; no value if all will be done soon.
std::optional<LongWork> long_work(const App& app);

/// Stops what is being computed or written. What is shown stays and is marked as out of date; no half-written
/// file remains.
void stop_work(App& app);
/// Whether part of what is shown was stopped, or failed.
Idle idle_work(const Workspace& work);
/// Computes that part again.
void run_again(Workspace& work);
/// Shown then in place of "Computing…", English; nullptr for Idle::none.
const char* idle_text(Idle idle);

}  // namespace headscope

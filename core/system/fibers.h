#pragma once
#include <atomic>
#include <functional>

namespace headscope {

/// Background work where no thread can be started, as in a browser: fibers, which share the window's thread
/// and give way to it every few milliseconds. Where there are threads these functions start none and do
/// nothing.

/// Whether start_fiber() may be called: not outside of run_as_window().
bool can_start_fibers();
/// Runs `work`, which must not throw, between the window's frames, soon after this call.
void start_fiber(std::function<void()> work);
/// Called by work that takes long, often: lets the window draw if this fiber has run for a while. It must not
/// hold what the window would change meanwhile; other fibers may run, too.
void give_way();
/// Blocks until `done`, which is notified where there are threads.
void wait_for(const std::atomic<bool>& done);
/// Runs a frame of a window, which must not throw, in such a way that it can wait for fibers.
void run_as_window(const std::function<void()>& frame);

}  // namespace headscope

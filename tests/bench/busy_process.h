#pragma once
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace headscope {

/// Another process of the lowest priority that keeps the last core busy as long as this object exists.
class BusyProcess {
 public:
  BusyProcess() : process_(fork()) {
    if (process_ == 0) keep_busy();
  }
  ~BusyProcess() {
    if (process_ < 0) return;
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  BusyProcess(const BusyProcess&) = delete;
  BusyProcess& operator=(const BusyProcess&) = delete;

 private:
  [[noreturn]] static void keep_busy() {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setsid();  // a scheduling group of its own
    constexpr int lowest = 19;
    setpriority(PRIO_PROCESS, 0, lowest);
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) == 0) {
      int last = CPU_SETSIZE - 1;
      while (last > 0 && !CPU_ISSET(last, &cores)) --last;
      CPU_ZERO(&cores);
      CPU_SET(last, &cores);
      sched_setaffinity(0, sizeof cores, &cores);
    }
    for (volatile bool busy = true;; busy = !busy) {
    }
  }

  pid_t process_;
};

}  // namespace headscope

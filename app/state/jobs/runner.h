#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "app/state/jobs/background.h"
#include "app/state/jobs/job.h"
#include "core/base/error.h"
#include "core/source/engine.h"

namespace headscope {

/// What of a run's maps is going to be looked at: see RunOptions.
struct MapsInView {
  std::optional<int> layer;
  std::vector<int> heads;
  bool whole = false;     ///< the last layer's context and output too
  bool compared = false;  ///< beside those of another run: see RunOptions
};

/// Runs the inputs beside the window: short runs on the spot, others one at a time on a thread, where the
/// latest request wins. The last good trace stays until a newer one is taken over.
class Runner {
 public:
  /// `wake` is called from a thread when a result waits; it must be safe to call from any.
  explicit Runner(std::function<void()> wake, BufferPool memory = BufferPool(),
                  std::shared_ptr<OpenSources> sources = std::make_shared<OpenSources>());
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  /// Asks for the trace of `inputs`; nothing happens if those are what was asked for last, whatever is looked
  /// at: a trace computes what it has not kept. But for what is `whole`, or is to be compared and goes on
  /// from a run before, which are run again.
  void request(const Inputs& inputs, const MapsInView& in_view = {});
  /// The same, but where `other` has the trace of these inputs that is taken: a long text is not read twice.
  void request(const Inputs& inputs, const MapsInView& in_view, const Runner& other);
  /// The next request runs even if it is what was asked for last, unless the trace is of `source` already:
  /// the same files may hold something else now.
  void renew(const Source& source) { stale_ = trace_->source.get() != &source; }
  /// Gives up the last request; the trace before stays until other inputs are asked for, or again().
  void stop();
  /// The next request() runs what was given up or failed.
  void again();
  /// Inputs that are wrong have not failed: they are to be put right.
  Idle idle() const {
    if (stopped_) return Idle::stopped;
    return error_ && error_->kind() == Error::Kind::unable ? Idle::failed : Idle::none;
  }
  /// Lets go of the trace, and of what is still being worked on: nobody is going to look at it.
  void forget();
  /// Takes over what has been finished; call at the start of a frame.
  void poll();

  const std::shared_ptr<const Trace>& trace() const { return trace_; }  ///< never null
  const std::optional<Error>& error() const { return error_; }          ///< why the last request has no trace
  /// Of the last request; nullptr: it does not run yet.
  const WorkProgress* progress() const { return busy() && !next_ ? job_.progress() : nullptr; }
  /// The last request is still being worked on.
  bool busy() const { return next_ || (job_.started() && !job_.stopped()); }
  /// Blocks until the last request is answered: for the first frame and for tests.
  void wait();

 private:
  using Made = std::shared_ptr<const Trace>;  // nullptr: stopped
  struct Request {
    Inputs inputs;
    RunOptions options;
    double expected_ms = 0;
  };

  Made run(const Request& request, const std::stop_token& stop);
  double expected(const Inputs& inputs) const;
  template <typename Make>
  void take_over(const Make& make);
  void start(Request request);
  void drop_work();

  Engine engine_;  // used by one thread at a time: the job's, or the window's while there is no job
  std::function<void()> wake_;
  const std::shared_ptr<const Trace> nothing_ = std::make_shared<Trace>();
  std::shared_ptr<const Trace> trace_ = nothing_;
  std::optional<Error> error_;
  std::optional<Inputs> requested_;
  bool requested_whole_ = false, requested_compared_ = false;
  bool stale_ = false, stopped_ = false;
  std::optional<Request> next_;  // waits until the job has ended
  double running_ms_ = 0;        // that the job is expected to take
  Job<Made> job_;                // last: ends first
};

}  // namespace headscope

#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "app/state/jobs/background.h"
#include "app/state/jobs/job.h"
#include "core/base/error.h"
#include "core/source/engine/engine.h"

namespace headscope {

/// Which parts of a run's maps are about to be looked at: see RunOptions.
struct MapsInView {
  std::optional<int> layer;
  std::vector<int> heads;
  bool whole = false;     ///< also the last layer's context and output
  bool compared = false;  ///< with those of another run: see RunOptions
};

/// Runs the inputs in the background: short runs on the spot, others one at a time on a thread, where the
/// latest request wins. The last successful trace stays until a newer one is taken over.
class Runner {
 public:
  /// `wake` is called from a thread when a result is ready; it must be callable from any thread.
  explicit Runner(std::function<void()> wake, BufferPool memory = BufferPool(),
                  std::shared_ptr<OpenSources> sources = std::make_shared<OpenSources>());
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  /// Requests the trace of `inputs`; does nothing if they equal the last request, whatever is looked at,
  /// because a trace computes what it has not kept. Exceptions, which are run again: `whole`, and `compared`
  /// for a run that continued from an earlier one.
  void request(const Inputs& inputs, const MapsInView& in_view = {});
  /// The same, but if `other` has the trace of these inputs, it is taken: a long text is not read twice.
  void request(const Inputs& inputs, const MapsInView& in_view, const Runner& other);
  /// The next request runs even if it equals the last one, unless the trace already is of `source`: the
  /// contents of the files may have changed.
  void renew(const Source& source) { renewed_ = &source; }
  /// Cancels the last request; the previous trace stays until other inputs are requested, or again().
  void stop();
  /// The next request() runs what was cancelled or failed.
  void again();
  /// Wrong inputs don't count as failed: they need to be corrected.
  Idle idle() const {
    if (stopped_) return Idle::stopped;
    return error_ && error_->kind() == Error::Kind::unable ? Idle::failed : Idle::none;
  }
  /// Releases the trace and pending work: neither will be looked at.
  void forget();
  /// Takes over a finished result; call at the start of a frame.
  void poll();

  const std::shared_ptr<const Trace>& trace() const { return trace_; }  ///< never null
  const std::optional<Error>& error() const { return error_; }          ///< why the last request has no trace
  /// Of the last request; nullptr: it has not started.
  const WorkProgress* progress() const { return busy() && !next_ ? job_.progress() : nullptr; }
  /// Whether the last request is still being worked on.
  bool busy() const { return next_ || (job_.started() && !job_.stopped()); }
  /// Blocks until the last request is completed: for the first frame and for tests.
  void wait();

 private:
  bool stale() const { return renewed_ != nullptr && trace_->source.get() != renewed_; }
  using Result = std::shared_ptr<const Trace>;  // nullptr: stopped
  struct Request {
    Inputs inputs;
    RunOptions options;
    double expected_ms = 0;
  };

  Result run(const Request& request, const std::stop_token& stop);
  double expected(const Inputs& inputs) const;
  template <typename Run>
  void take_over(const Run& run_now);
  void start(Request request);
  void drop_work();

  Engine engine_;  // used by one thread at a time: the job's, or the window's if there is no job
  std::function<void()> wake_;
  const std::shared_ptr<const Trace> nothing_ = std::make_shared<Trace>();
  std::shared_ptr<const Trace> trace_ = nothing_;
  std::optional<Error> error_;
  std::optional<Inputs> requested_;
  bool requested_whole_ = false, requested_compared_ = false;
  const Source* renewed_ = nullptr;  // only compared
  bool stopped_ = false;
  std::optional<Request> next_;  // waits until the job has ended
  double running_ms_ = 0;        // expected duration of the job
  Job<Result> job_;              // last: ends first
};

}  // namespace headscope

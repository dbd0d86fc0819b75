#pragma once
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

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

/// Runs the inputs beside the window: short runs on the spot, others on one worker thread, where the latest
/// request wins. The last good trace stays until a newer one is taken over.
class Runner {
 public:
  /// `wake` is called from the worker when a result waits; it must be safe to call from any thread.
  explicit Runner(std::function<void()> wake, BufferPool memory = BufferPool(),
                  std::shared_ptr<OpenSources> sources = std::make_shared<OpenSources>());
  ~Runner();
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
  /// Lets go of the trace, and of what is still being worked on: nobody is going to look at it.
  void forget();
  /// Takes over what the worker has finished; call at the start of a frame.
  void poll();

  const std::shared_ptr<const Trace>& trace() const { return trace_; }  ///< never null
  const std::optional<Error>& error() const { return error_; }          ///< why the last request has no trace
  bool busy() const { return pending_; }  ///< the last request is still being worked on
  /// Blocks until the last request is answered: for the first frame and for tests.
  void wait();

 private:
  struct Job {
    Inputs inputs;
    RunOptions options;
  };
  struct Result {
    std::shared_ptr<const Trace> trace;
    std::optional<Error> error;
  };

  Result run(const Job& job, const std::stop_token& stop);
  double expected(const Inputs& inputs) const;
  void take_over(Result result);
  void drop_work();
  void work(const std::stop_token& stop);

  Engine engine_;  // used by one thread at a time: the worker, or the window's while the worker rests
  std::function<void()> wake_;
  const std::shared_ptr<const Trace> nothing_ = std::make_shared<Trace>();
  std::shared_ptr<const Trace> trace_ = nothing_;
  std::optional<Error> error_;
  std::optional<Inputs> requested_;
  bool requested_whole_ = false, requested_compared_ = false;
  bool stale_ = false;
  bool pending_ = false;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::optional<Job> next_;  // guarded by mutex_, as all below
  std::optional<Result> result_;
  bool running_ = false;
  bool result_is_last_ = false;
  double next_expected_ = 0;
  double running_expected_ = 0;
  std::stop_source running_stop_;
  std::jthread worker_;  // last: ends first
};

}  // namespace headscope

#include "app/state/jobs/runner.h"

#include <utility>

#include "app/state/jobs/freezing.h"
#include "core/base/failure.h"
#include "core/base/translate.h"

namespace headscope {
namespace {

constexpr double on_the_spot_ms = 8;  // maximum delay of a frame
constexpr double first_ms = 80;       // the first frame may take longer, so that the window opens with a map
constexpr double let_finish_ms =
    250;  // outdated runs up to this length finish, so that a drag shows intermediate results

// Approximate upper bound of a text's tokens, for a forecast: most take at least a byte and a space.
Index about_tokens(const std::string& text) {
  return text.size() / 2 + 1;
}

}  // namespace

Runner::Runner(std::function<void()> wake, BufferPool memory, std::shared_ptr<OpenSources> sources)
    : engine_(0, std::move(memory), std::move(sources)), wake_(std::move(wake)) {}

double Runner::expected(const Inputs& inputs) const {
  const BlockTrace& block = trace_->blocks.front();
  const Text& text = inputs;
  if (block.text == text) return expected_milliseconds(inputs, block.n_q(), block.n_k(), trace_.get());
  const Index n_q = about_tokens(inputs.sentence);
  return expected_milliseconds(inputs, n_q, inputs.cross() ? about_tokens(*inputs.key_sentence) : n_q,
                               trace_.get());
}

Runner::Result Runner::run(const Request& request, const std::stop_token& stop) {
  Result trace = engine_.run(request.inputs, request.options, stop);
  // Models and captures read maps on demand, and accept any text that they can read.
  if (trace) check_shown_length(*trace, request.options.max_tokens);
  return trace;
}

template <typename Run>
void Runner::take_over(const Run& run_now) {
  try {
    if (Result trace = run_now()) trace_ = std::move(trace);
    error_.reset();
  } catch (...) {
    // If even the error cannot be created, the same inputs are run again.
    std::optional<Inputs> requested = std::exchange(requested_, std::nullopt);
    error_ = handled_error(TR("the run failed: "));
    requested_ = std::move(requested);
  }
}

void Runner::start(Request request) {
  std::optional<Inputs> requested = std::exchange(requested_, std::nullopt);
  running_ms_ = request.expected_ms;
  job_.start(
      [this, request = std::move(request)](const std::stop_token& stop, WorkProgress& progress) {
        Request reported = request;
        reported.options.forecast = [&](const Forecast& forecast) { report_unasked(progress, forecast); };
        reported.options.progress = [&](double share) { progress.show(share); };
        return run(reported, stop);
      },
      wake_);
  requested_ = std::move(requested);
}

void Runner::request(const Inputs& inputs, const MapsInView& in_view) {
  const bool comparable = !in_view.compared || requested_compared_ || (!busy() && !trace_->continued);
  const bool renewed = stale();
  renewed_ = nullptr;
  if (!renewed && requested_ == inputs && (requested_whole_ || !in_view.whole) && comparable) return;
  const bool first = !requested_;
  if (!first && *requested_ != inputs) accept_freezing(false);
  stopped_ = false;
  requested_ = inputs;
  requested_whole_ = in_view.whole;
  requested_compared_ = in_view.compared;
  Request request{inputs, {}, expected(inputs)};
  request.options.layer = in_view.layer;
  request.options.heads = in_view.heads;
  request.options.maps_alone = !in_view.whole;
  request.options.previous = trace_;
  request.options.compared = in_view.compared;
  request.options.fit_masks = true;
  if (job_.done() && !next_) job_.drop();
  if (job_.started()) {
    if (running_ms_ > let_finish_ms) job_.stop();
    next_ = std::move(request);
  } else if (request.expected_ms < (first ? first_ms : on_the_spot_ms)) {
    take_over([&] { return run(request, {}); });
  } else {
    start(std::move(request));
  }
}

void Runner::request(const Inputs& inputs, const MapsInView& in_view, const Runner& other) {
  const bool there = !other.busy() && !other.stale() && !other.error_ && other.requested_ == inputs &&
                     other.trace_->inputs == inputs && (other.requested_whole_ || !in_view.whole) &&
                     (!in_view.compared || !other.trace_->continued);
  if (!there || stale() || requested_ == inputs) return request(inputs, in_view);
  drop_work();
  renewed_ = nullptr;
  stopped_ = false;
  requested_ = inputs;
  requested_whole_ = other.requested_whole_;
  requested_compared_ = other.requested_compared_;
  trace_ = other.trace_;
  error_.reset();
}

void Runner::drop_work() {
  next_.reset();
  job_.stop();
}

void Runner::stop() {
  if (!busy()) return;
  drop_work();
  stopped_ = true;
}

void Runner::again() {
  if (idle() != Idle::none) requested_.reset();
  stopped_ = false;
}

void Runner::forget() {
  if (!requested_ && trace_ == nothing_ && !error_) return;
  drop_work();
  stopped_ = false;
  requested_.reset();
  trace_ = nothing_;
  error_.reset();
}

void Runner::poll() {
  if (!job_.done()) return;
  // A stopped job may have finished all the same.
  if (job_.stopped())
    job_.drop();
  else
    take_over([&] { return job_.take(); });
  if (next_) start(*std::exchange(next_, std::nullopt));
}

void Runner::wait() {
  while (job_.started()) {
    job_.wait();
    poll();
  }
}

}  // namespace headscope

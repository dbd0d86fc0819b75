#include "app/state/runner.h"

#include <new>
#include <utility>

namespace headscope {
namespace {

constexpr double on_the_spot_ms = 8;  // what a frame may be held up
constexpr double first_ms = 80;       // the first frame is worth more: a window that opens with its picture
constexpr double let_finish_ms =
    250;  // overtaken runs up to here finish, so that a drag shows what it passes

// About the most tokens that a text has, for a forecast: most take a byte and a space at least.
Index about_tokens(const std::string& text) {
  return static_cast<Index>(text.size() / 2 + 1);
}

}  // namespace

Runner::Runner(std::function<void()> wake, BufferPool memory, std::shared_ptr<OpenSources> sources)
    : engine_(0, std::move(memory), std::move(sources)),
      wake_(std::move(wake)),
      worker_([this](const std::stop_token& stop) { work(stop); }) {}

Runner::~Runner() {
  worker_.request_stop();
  {
    const std::lock_guard lock(mutex_);
    running_stop_.request_stop();
  }
  changed_.notify_all();
}

// Reads nothing that the worker writes.
double Runner::expected(const Inputs& inputs) const {
  const BlockTrace& block = trace_->blocks.front();
  const Text& text = inputs;
  if (block.text == text) return expected_milliseconds(inputs, block.n_q(), block.n_k(), trace_.get());
  const Index n_q = about_tokens(inputs.sentence);
  return expected_milliseconds(inputs, n_q, inputs.cross() ? about_tokens(*inputs.key_sentence) : n_q,
                               trace_.get());
}

Runner::Result Runner::run(const Job& job, const std::stop_token& stop) {
  try {
    Result result{engine_.run(job.inputs, job.options, stop), std::nullopt};
    // Models and captures read maps when they are asked for, and refuse no text that they can read.
    if (result.trace) check_shown_length(*result.trace, job.options.most_tokens);
    return result;
  } catch (const Error& error) {
    return {nullptr, error};
  } catch (const std::bad_alloc&) {
    return {nullptr, unable_error("not enough memory for this run")};
  } catch (const std::exception& failure) {
    return {nullptr, unable_error("the run failed: {}", failure.what())};
  }
}

void Runner::take_over(Result result) {
  if (result.trace) trace_ = std::move(result.trace);
  error_ = std::move(result.error);
}

void Runner::request(const Inputs& inputs, const MapsInView& in_view) {
  const bool comparable = !in_view.compared || requested_compared_ || (!pending_ && !trace_->continued);
  if (!std::exchange(stale_, false) && requested_ == inputs && (requested_whole_ || !in_view.whole) &&
      comparable)
    return;
  const bool first = !requested_;
  requested_ = inputs;
  requested_whole_ = in_view.whole;
  requested_compared_ = in_view.compared;
  Job job{inputs, {}};
  job.options.layer = in_view.layer;
  job.options.heads = in_view.heads;
  job.options.maps_alone = !in_view.whole;
  job.options.previous = trace_;
  job.options.compared = in_view.compared;
  job.options.fit_masks = true;
  const double forecast = expected(inputs);
  std::unique_lock lock(mutex_);
  if (!running_ && !next_ && forecast < (first ? first_ms : on_the_spot_ms)) {
    result_.reset();
    pending_ = false;
    lock.unlock();  // the worker rests until next_ is set, and only this thread sets it
    take_over(run(job, {}));
    return;
  }
  pending_ = true;
  next_ = std::move(job);
  next_expected_ = forecast;
  if (running_ && running_expected_ > let_finish_ms) running_stop_.request_stop();
  lock.unlock();
  changed_.notify_all();
}

void Runner::request(const Inputs& inputs, const MapsInView& in_view, const Runner& other) {
  const bool there = !other.pending_ && !other.stale_ && !other.error_ && other.requested_ == inputs &&
                     other.trace_->inputs == inputs && (other.requested_whole_ || !in_view.whole) &&
                     (!in_view.compared || !other.trace_->continued);
  if (!there || stale_ || requested_ == inputs) return request(inputs, in_view);
  drop_work();
  requested_ = inputs;
  requested_whole_ = other.requested_whole_;
  requested_compared_ = other.requested_compared_;
  trace_ = other.trace_;
  error_.reset();
}

void Runner::drop_work() {
  {
    const std::lock_guard lock(mutex_);
    next_.reset();
    result_.reset();
    running_stop_.request_stop();
  }
  pending_ = false;
}

void Runner::forget() {
  if (!requested_ && trace_ == nothing_ && !error_) return;
  drop_work();
  requested_.reset();
  trace_ = nothing_;
  error_.reset();
}

void Runner::poll() {
  std::optional<Result> result;
  {
    const std::lock_guard lock(mutex_);
    if (!result_) return;
    result.swap(result_);
    if (result_is_last_ && !next_) pending_ = false;
  }
  take_over(std::move(*result));
}

void Runner::wait() {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !next_ && !running_; });
  }
  poll();
}

void Runner::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [this] { return next_.has_value(); })) {
    const Job job = std::move(*next_);
    next_.reset();
    running_ = true;
    running_stop_ = std::stop_source();
    running_expected_ = next_expected_;
    const std::stop_token token = running_stop_.get_token();
    lock.unlock();
    Result result = run(job, token);
    lock.lock();
    running_ = false;
    // What was stopped may have come to its end all the same.
    if ((result.trace || result.error) && !token.stop_requested()) {
      result_ = std::move(result);
      result_is_last_ = !next_;
    }
    changed_.notify_all();
    lock.unlock();
    wake_();
    lock.lock();
  }
}

}  // namespace headscope

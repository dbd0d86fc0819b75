#pragma once
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "app/state/jobs/job.h"
#include "core/base/error.h"
#include "core/inputs/inputs.h"
#include "core/model/sampling.h"

namespace headscope {

struct App;
class OpenSources;
enum class GenerationEnd : int;

/// How the window has a model go on with the sentence.
struct GenerationSettings {
  bool draws = false;  ///< else the likeliest token is taken
  Sampling sampling{1.0, 0, 1.0};
  std::uint64_t seed = 0;
  int max_tokens = 24;
};

/// A text that a trained model goes on with beside the window, token by token.
class Generation {
 public:
  /// `wake` is called from the worker with each token.
  Generation(std::function<void()> wake, std::shared_ptr<OpenSources> sources)
      : wake_(std::move(wake)), sources_(std::move(sources)) {}

  GenerationSettings settings;
  bool grew = false;  ///< in this frame: what one run adds is one step of undo

  /// Goes on with the sentence of the inputs, or with a translator's target.
  void start(const Inputs& inputs);
  /// Nothing is added any more.
  void stop();
  bool running() const { return job_.started(); }
  /// Takes what has come into the inputs; ends where somebody else has changed them. Why it could not be
  /// done, if so.
  std::optional<Error> poll(Inputs& inputs);
  /// Once, of a text that came to its end by itself: why, and how many tokens were added.
  std::optional<std::pair<GenerationEnd, Index>> take_end() { return std::exchange(end_, std::nullopt); }

 private:
  using End = std::optional<std::pair<GenerationEnd, Index>>;  // nothing: stopped
  End work(const Inputs& inputs, const GenerationSettings& how, const std::stop_token& stop);

  std::function<void()> wake_;
  std::shared_ptr<OpenSources> sources_;
  Inputs asked_;  ///< as the inputs are to be, with what was added
  std::string before_;
  bool target_ = false;  ///< a target grows, and not the sentence
  End end_;

  std::mutex mutex_;
  std::string text_;  // of all tokens; guarded by mutex_
  Job<End> job_;      // last: ends first
};

/// Whether the model in use writes text.
bool can_generate(const App& app);
/// Why it can't go on with the text at hand, translated; empty: it can.
std::string cannot_continue(const App& app);
/// Starts or stops it.
void toggle_generation(App& app);
/// At the beginning of a frame.
void poll_generation(App& app);

}  // namespace headscope

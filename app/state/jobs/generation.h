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
#include "core/model/run/sampling.h"

namespace headscope {

class OpenSources;
enum class GenerationEnd : int;

/// How a model continues the sentence in the window.
struct GenerationSettings {
  bool draws = false;  ///< sample; otherwise take the likeliest token
  Sampling sampling{1.0, 0, 1.0};
  std::uint64_t seed = 0;
  int max_tokens = 24;
};

/// A text that a trained model continues in the background, token by token.
class Generation {
 public:
  /// `wake` is called from the worker for each token.
  Generation(std::function<void()> wake, std::shared_ptr<OpenSources> sources)
      : wake_(std::move(wake)), sources_(std::move(sources)) {}

  GenerationSettings settings;
  bool grew = false;  ///< in this frame: all tokens added by one generation are one undo step

  /// Continues the inputs' sentence, or a translator's target.
  void start(const Inputs& inputs);
  /// Stops adding tokens.
  void stop();
  bool running() const { return job_.started(); }
  /// Adds the new tokens to the inputs; ends if the inputs were changed otherwise. Returns the error if
  /// generation failed.
  std::optional<Error> poll(Inputs& inputs);
  /// Returns once, for a generation that ended by itself: why, and how many tokens were added.
  std::optional<std::pair<GenerationEnd, Index>> take_end() { return std::exchange(end_, std::nullopt); }

 private:
  using End = std::optional<std::pair<GenerationEnd, Index>>;  // no value: stopped
  End work(const Inputs& inputs, const GenerationSettings& how, const std::stop_token& stop);

  std::function<void()> wake_;
  std::shared_ptr<OpenSources> sources_;
  Inputs requested_;  ///< the expected inputs, including what was added
  std::string before_;
  bool target_ = false;  ///< the target grows, not the sentence
  End end_;

  std::mutex mutex_;
  std::string text_;  // of all tokens; guarded by mutex_
  Job<End> job_;      // last: ends first
};

}  // namespace headscope

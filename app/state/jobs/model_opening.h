#pragma once
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "app/state/jobs/job.h"
#include "core/base/buffer_pool.h"
#include "core/base/error.h"
#include "core/inputs/inputs.h"
#include "core/model/config/config.h"
#include "core/model/weights/load_progress.h"
#include "core/source/engine/engine.h"

namespace headscope {

struct Workspace;

/// Opens models in the background, one at a time, so that the window can show progress and cancel. A model
/// opened for the present inputs runs as soon as it is open.
class ModelOpening {
 public:
  ModelOpening(std::function<void()> wake, BufferPool memory, std::shared_ptr<OpenSources> sources)
      : wake_(std::move(wake)), memory_(std::move(memory)), sources_(std::move(sources)) {}
  ~ModelOpening();
  ModelOpening(const ModelOpening&) = delete;
  ModelOpening& operator=(const ModelOpening&) = delete;

  bool busy() const { return job_.started(); }
  const std::string& folder() const { return folder_; }  ///< being opened
  const LoadProgress& progress() const { return *progress_; }
  void cancel();
  /// Models that could not be opened are tried again at the next request.
  void try_again() { refused_.clear(); }
  /// For tests: blocks until it is done; the next frame takes the result over.
  void wait() const;

  /// Whether the inputs' model can be run, or there is none; starts opening a model that is not open, unless
  /// opening it has already failed.
  bool ready(const Inputs& inputs, int session);
  /// Why the inputs' model could not be opened.
  std::optional<Error> error(const Inputs& inputs) const;
  /// The config.json of the inputs' model, available while its weights are still being opened; nullptr: not
  /// read.
  std::shared_ptr<const ModelConfig> config(const Inputs& inputs) const;

 private:
  /// What the worker reads before the weights.
  struct Reading {
    std::shared_ptr<const ModelConfig> config;  // written once, before `there`
    std::atomic<bool> there = false;
  };
  friend void open_model(Workspace& work, const std::string& folder);
  friend void poll_model(Workspace& work);
  void start(const std::string& folder);

  std::function<void()> wake_;
  BufferPool memory_;
  std::shared_ptr<OpenSources> sources_;
  std::string folder_;
  bool becomes_source_ = false;           // of the edited inputs, once it is open
  std::map<std::string, Error> refused_;  // of models named by inputs
  int session_ = 0;                       // App::sessions that both belong to: the next session checks again
  std::set<std::string> known_;           // that are or were open
  std::map<std::string, std::shared_ptr<const ModelConfig>> configs_;
  std::shared_ptr<Reading> reading_ = std::make_shared<Reading>();
  std::shared_ptr<LoadProgress> progress_ = std::make_shared<LoadProgress>();
  Job<std::shared_ptr<const ModelConfig>> job_;  // last: ends first
};

}  // namespace headscope

#pragma once
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "app/state/jobs/job.h"
#include "core/base/error.h"
#include "core/inputs/inputs.h"
#include "core/model/config.h"
#include "core/model/load_progress.h"
#include "core/source/trace.h"

namespace headscope {

struct App;

/// Models that are opened beside the frames, one at a time, so that the window can show how far that has come
/// and give it up. What is opened for the inputs at hand runs as soon as it is open.
class ModelOpening {
 public:
  ModelOpening() = default;
  ~ModelOpening();
  ModelOpening(const ModelOpening&) = delete;
  ModelOpening& operator=(const ModelOpening&) = delete;

  bool busy() const { return job_.started(); }
  const std::string& folder() const { return folder_; }  ///< that is being opened
  const LoadProgress& progress() const { return *progress_; }
  void cancel();
  /// What could not be opened is tried anew where it is asked for again.
  void try_again() { refused_.clear(); }
  /// For tests: blocks until it is done; the next frame takes it over.
  void wait() const;

  /// Whether the model of these inputs can be run, or there is none; begins to open it where it is not open
  /// and nothing was told of it yet.
  bool ready(App& app, const Inputs& inputs);
  /// Why the model of the inputs could not be opened.
  std::optional<Error> error(const Inputs& inputs) const;
  /// The config.json of the inputs' model, also while its weights are still being opened; nullptr: not read.
  std::shared_ptr<const ModelConfig> config(const Inputs& inputs) const;

 private:
  /// What the worker has read before the weights.
  struct Reading {
    std::shared_ptr<const ModelConfig> config;  // written once, before `there`
    std::atomic<bool> there = false;
  };
  friend void open_model(App& app, const std::string& folder);
  friend void poll_model(App& app);
  void start(App& app, const std::string& folder);

  std::string folder_;
  bool becomes_source_ = false;           // of the inputs that are edited, once it is open
  std::map<std::string, Error> refused_;  // of models that inputs name
  int session_ = 0;                       // App::sessions that both are of: the next one looks anew
  std::set<std::string> known_;           // that are open, or were
  std::map<std::string, std::shared_ptr<const ModelConfig>> configs_;
  std::shared_ptr<Reading> reading_ = std::make_shared<Reading>();
  std::shared_ptr<LoadProgress> progress_ = std::make_shared<LoadProgress>();
  Job<std::shared_ptr<const ModelConfig>> job_;  // last: ends first
};

/// Opens the folder of a model and makes it the source of the inputs that are edited, which can be undone.
/// What is wrong with it is told as a notice, and the present inputs stay.
void open_model(App& app, const std::string& folder);
/// Takes over what has been opened; once a frame.
void poll_model(App& app);

/// Why the model of that name on board cannot be opened, translated; empty: it can.
std::string not_installed(const App& app, const std::string& name);

/// Asks for the folder of a model, and opens it.
void command_open_model(App& app);
/// Of the sides that are shown, the inputs whose model or capture can be asked for: it could not be opened,
/// or is not there. nullptr: none.
const Inputs* inputs_to_locate(const App& app);
/// Asks where their model or capture is, and names it there wherever the session, or the lesson, names it.
void command_locate_source(App& app);
/// Asks for a file of attention that was computed elsewhere.
void command_open_capture(App& app);
/// What the model's config.json says of a block, before there is a run of it.
BlockShape shape_in_config(const ModelConfig& config, BlockKind kind);
/// Whether the folder that the inputs name is not there.
bool model_is_missing(const Inputs& inputs);
/// Whether the file that they name is not there.
bool capture_is_missing(const Inputs& inputs);

/// Moves the folder to the front of the recent models.
void remember_model(App& app, const std::string& folder);

}  // namespace headscope

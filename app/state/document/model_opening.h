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
#include "core/model/config/config.h"
#include "core/model/weights/load_progress.h"
#include "core/source/trace.h"

namespace headscope {

struct App;
struct OpenSession;
struct Workspace;

/// Opens models in the background, one at a time, so that the window can show progress and cancel. A model
/// opened for the present inputs runs as soon as it is open.
class ModelOpening {
 public:
  ModelOpening() = default;
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
  bool ready(Workspace& work, const Inputs& inputs);
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
  void start(Workspace& work, const std::string& folder);

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

/// Opens a model folder and makes it the source of the edited inputs, which can be undone. Errors are
/// reported as a notice and leave the inputs unchanged.
void open_model(Workspace& work, const std::string& folder);
/// Takes over what has been opened; once a frame.
void poll_model(Workspace& work);

/// Why the built-in model of that name cannot be opened, translated; empty: it can.
std::string not_installed(const Workspace& work, const std::string& name);

/// Asks for a model folder, and opens it.
void command_open_model(App& app);
/// Of the sides that are shown, the inputs whose model or capture the user can locate: it failed to open or
/// is missing. nullptr: none.
const Inputs* inputs_to_locate(const Workspace& work);
/// Asks where the missing model or capture is, and replaces its path everywhere in the session or the lesson.
void command_locate_source(App& app);
/// Asks for a file of attention that was computed elsewhere, and opens it.
void command_open_capture(App& app);
/// Asks for the picture that the model in use reads.
void command_open_picture(App& app);
/// Reads the picture of the clipboard, which is kept as a file in the state folder: sessions name it.
void command_paste_picture(App& app);
/// Whether the model in use reads a picture.
bool reads_picture(const Workspace& work);
/// Whether the capture file that the inputs name does not exist.
bool capture_is_missing(const Inputs& inputs);

/// Moves the folder to the front of the recent models.
void remember_model(Workspace& work, const std::string& folder);

}  // namespace headscope

#pragma once
#include <memory>
#include <mutex>
#include <stop_token>

#include "core/base/buffer_pool.h"
#include "core/base/recent.h"
#include "core/base/thread_pool.h"
#include "core/source/source.h"

namespace headscope {

class CaptureSource;
class ModelSource;
struct LoadProgress;
class SeededSource;

/// A cache of recently used sources, shared by everything that runs inputs. Thread-safe.
class OpenSources {
 public:
  /// The source of the inputs, which must be valid. Throws Error (input) for a model that cannot be opened.
  std::shared_ptr<const Source> open(const Inputs& inputs, const ComputeContext& context);
  /// The model of a folder or a built-in name; reopened if its files have changed.
  std::shared_ptr<const ModelSource> open_model(const std::string& model, const ComputeContext& context,
                                                LoadProgress* progress = nullptr);
  /// The same if it is open and up to date; otherwise nullptr. Never blocks.
  std::shared_ptr<const Source> find_model(const std::string& model);
  /// The capture in a file; reopened if that has changed.
  std::shared_ptr<const CaptureSource> open_capture(const std::string& path);

 private:
  /// By the identity of their files at that time.
  template <typename Kind>
  using Opened = Recent<std::string, std::shared_ptr<const Kind>>;
  /// The open one of that identity, otherwise created by make().
  template <typename Kind, typename Make>
  std::shared_ptr<const Kind> find_or(Opened<Kind>& opened, const std::string& identity, const Make& make);

  std::mutex opening_;  // one model or capture at a time; requests for other sources do not wait
  std::mutex seeding_;
  Recent<LayerParameters, std::shared_ptr<const SeededSource>> seeded_;
  Opened<ModelSource> models_;
  Opened<CaptureSource> captures_;
};

/// Runs Inputs. Owns what runs share: threads, recycled memory, open sources. `run` may be called from any
/// thread, one at a time.
class Engine {
 public:
  /// `threads` 0: one per core available to this process. Engines that run concurrently can share memory and
  /// sources.
  explicit Engine(int threads = 0, BufferPool memory = BufferPool(),
                  std::shared_ptr<OpenSources> sources = std::make_shared<OpenSources>());

  /// The pure function from Inputs to Trace: the same bits for any number of threads and any options. Throws
  /// Error (input) as validate() and Source::run() do. Returns nullptr if stopped.
  std::shared_ptr<const Trace> run(const Inputs& inputs, const RunOptions& options = {},
                                   std::stop_token stop = {});

  int threads() const { return threads_.size(); }
  /// The context of a run, for other computations of a source, on the same thread.
  ComputeContext context();
  std::shared_ptr<const ModelSource> open_model(const std::string& model, LoadProgress* progress = nullptr);

 private:
  ThreadPool threads_;
  BufferPool memory_;
  std::shared_ptr<OpenSources> sources_;
};

/// A rough forecast of a run's duration, to decide whether it may delay a frame. `previous` as in RunOptions,
/// or nullptr.
double expected_milliseconds(const Inputs& inputs, Index n_q, Index n_k, const Trace* previous);

}  // namespace headscope

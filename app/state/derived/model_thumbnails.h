#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "app/state/jobs/job.h"
#include "core/base/buffer_pool.h"
#include "core/scene/thumbnails.h"
#include "core/source/trace.h"

namespace headscope {

/// A map of each built-in model at its own example, to tell them apart in a menu: computed in the background
/// once, and kept.
class ModelThumbnails {
 public:
  struct One {
    std::shared_ptr<const BlockTrace> block;
    std::shared_ptr<const Thumbnails> maps;
    int layer = 0, head = 0;
  };

  /// `wake` is called from the thread that computes, once it is done.
  ModelThumbnails(std::function<void()> wake, BufferPool memory);

  /// nullptr: not computed yet, or the model is not installed.
  const One* find(const std::string& model);
  bool busy() const { return job_.started() && !job_.done(); }  ///< for tests

 private:
  std::map<std::string, One> known_;
  Job<std::map<std::string, One>> job_;  // last: ends first
};

}  // namespace headscope

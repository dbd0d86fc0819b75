#pragma once
#include <memory>
#include <string>
#include <vector>

#include "app/panels/ui.h"
#include "core/analysis/comparison.h"
#include "core/analysis/similarity.h"

namespace headscope {

/// What is shown beyond the trace, made once for a trace and a view and kept until one of them changes. The
/// window owns one and asks it for Ui::shown and Ui::heads before it draws.
class Derived {
 public:
  Derived();
  ~Derived();
  Derived(const Derived&) = delete;
  Derived& operator=(const Derived&) = delete;

  std::shared_ptr<const ShownLayer> shown(const std::shared_ptr<const Trace>& trace, const View& view);
  std::vector<int> heads(const std::shared_ptr<const Trace>& trace, const View& view);
  /// Compared beside the frames; the last finished one until then, nullptr as long as there is none.
  std::shared_ptr<const HeadSimilarity> similarity(const std::shared_ptr<const Trace>& trace);
  std::shared_ptr<const Comparison> comparison(const std::shared_ptr<const Trace>& a,
                                               const std::shared_ptr<const Trace>& b, int layer);
  /// Whether something is being computed: the window keeps drawing (a few frames a second are enough) until
  /// it is not.
  bool busy() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace headscope
